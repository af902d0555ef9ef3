package main

// rssInKilobytes tells how the system counts.
const rssInKilobytes = true
