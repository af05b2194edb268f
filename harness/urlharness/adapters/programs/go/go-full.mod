// The modules of the libraries in full.go: go build -modfile=go-full.mod -tags full
module urlconform/adapter

go 1.26.0

require (
	github.com/PuerkitoBio/purell v1.2.1
	github.com/nlnwa/whatwg-url v0.6.2
	github.com/valyala/fasthttp v1.77.0
)

require (
	github.com/bits-and-blooms/bitset v1.20.0 // indirect
	github.com/klauspost/compress v1.20.3 // indirect
	github.com/molecule-man/go-brrr v1.3.0 // indirect
	github.com/valyala/bytebufferpool v1.0.0 // indirect
	golang.org/x/net v0.61.0 // indirect
	golang.org/x/text v0.43.0 // indirect
)
