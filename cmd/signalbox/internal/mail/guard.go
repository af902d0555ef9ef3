package mail

// reads returns whose mail is read.
func (o *commands) reads() (string, error) {
	if _, err := o.Alias(); err != nil {
		return "", err
	}
	return o.Box().Reads()
}
