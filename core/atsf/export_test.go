package atsf

// CleanHookPath is for the tests of paths, which go beyond those of configurations.
var CleanHookPath = cleanHookPath
