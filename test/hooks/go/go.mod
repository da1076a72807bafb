module example.com/hook

go 1.21
