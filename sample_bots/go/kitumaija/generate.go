package kitumaija

//go:generate go run ../internal/generate -protos ../../../proto -out ..
