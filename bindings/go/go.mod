module latkem.org/latkem

go 1.26
