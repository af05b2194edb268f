module github.com/OWNER/urlconform/packages/go

go 1.22
