//go:build unix && !linux

package main

import "runtime"

// rssInKilobytes tells how the system counts: macOS counts bytes.
const rssInKilobytes = runtime.GOOS != "darwin" && runtime.GOOS != "ios"
