module example

go 1.26

require github.com/OWNER/urlconform/packages/go v0.1.0

// A project of yours does not need this line once the module has a tag.
replace github.com/OWNER/urlconform/packages/go => ../
