module urlconform/adapter

go 1.19
