// Package isotime reads and writes times of ISO 8601's extended form as Unix
// milliseconds, without package time: its zones and layouts are more than the
// formats need, and it would bring a clock into the core and much code into the
// WASM module. Start with [Parse] and [Format]. A format's own package checks
// any further rules of the format.
package isotime

// Zone is the kind of a time's offset from UTC.
type Zone uint8

// The zones.
const (
	// NoZone is a time without an offset, taken as UTC.
	NoZone Zone = iota
	// UTC is Z, or an offset of zero.
	UTC
	// Shifted is any other offset, which was applied.
	Shifted
)

// Parse reads a date and time with seconds and any fraction; anything finer than
// milliseconds is cut off. The T may be small or a space. ok is false for any other
// text, and millis is then 0. An offset can lead beyond [Min] and [Max], where [Format]
// cannot write the time.
func Parse(s string) (millis int64, zone Zone, ok bool) {
	if len(s) < len("2006-01-02T15:04:05") || s[10] != 'T' && s[10] != 't' && s[10] != ' ' || s[13] != ':' || s[16] != ':' {
		return 0, NoZone, false
	}
	year, month, day, okDate := Date(s[:10])
	hour, okHour := number(s[11:13])
	minute, okMinute := number(s[14:16])
	second, okSecond := number(s[17:19])
	// A leap second is the next minute's first. 24:00 is not accepted.
	if !okDate || !Valid(year, month, day) || !okHour || hour > 23 || !okMinute || minute > 59 || !okSecond || second > 60 {
		return 0, NoZone, false
	}
	finer, rest, ok := fraction(s[19:])
	if !ok {
		return 0, NoZone, false
	}
	offset, zone, ok := offsetOf(rest)
	if !ok {
		return 0, NoZone, false
	}
	return ((days(year, month, day)*24+hour)*60+minute-offset)*60_000 + second*1000 + finer, zone, true
}

// Date reads a date of the form 2006-01-02. ok is false for any other text. The
// date need not be [Valid].
func Date(s string) (year, month, day int64, ok bool) {
	if len(s) != len("2006-01-02") || s[4] != '-' || s[7] != '-' {
		return 0, 0, 0, false
	}
	year, okYear := number(s[:4])
	month, okMonth := number(s[5:7])
	day, okDay := number(s[8:])
	return year, month, day, okYear && okMonth && okDay
}

// Valid reports whether the calendar has this day.
func Valid(year, month, day int64) bool {
	return month >= 1 && month <= 12 && day >= 1 && day <= daysIn(year, month)
}

func number(s string) (n int64, ok bool) {
	for i := range len(s) {
		if s[i] < '0' || s[i] > '9' {
			return 0, false
		}
		n = n*10 + int64(s[i]-'0')
	}
	return n, true
}

// fraction reads ".123" or ",123" of any length, or nothing.
func fraction(s string) (millis int64, rest string, ok bool) {
	if s == "" || s[0] != '.' && s[0] != ',' {
		return 0, s, true
	}
	i, unit := 1, int64(100)
	for i < len(s) && s[i] >= '0' && s[i] <= '9' {
		millis += int64(s[i]-'0') * unit
		unit /= 10
		i++
	}
	return millis, s[i:], i > 1
}

// offsetOf reads "Z", "+hh:mm", "+hhmm", "+hh" or nothing, in minutes.
func offsetOf(s string) (minutes int64, zone Zone, ok bool) {
	if s == "" {
		return 0, NoZone, true
	}
	if s == "Z" || s == "z" {
		return 0, UTC, true
	}
	if s[0] != '+' && s[0] != '-' {
		return 0, NoZone, false
	}
	digits := s[1:]
	if len(digits) == 5 && digits[2] == ':' {
		digits = digits[:2] + digits[3:]
	}
	if len(digits) == 2 {
		digits += "00"
	}
	n, numeric := number(digits)
	if !numeric || len(digits) != 4 || n/100 > 23 || n%100 > 59 {
		return 0, NoZone, false
	}
	if minutes = n/100*60 + n%100; minutes == 0 {
		return 0, UTC, true
	}
	if s[0] == '-' {
		minutes = -minutes
	}
	return minutes, Shifted, true
}

func leap(year int64) bool { return year%4 == 0 && (year%100 != 0 || year%400 == 0) }

func daysIn(year, month int64) int64 {
	switch {
	case month == 2 && leap(year):
		return 29
	case month == 2:
		return 28
	case month == 4 || month == 6 || month == 9 || month == 11:
		return 30
	}
	return 31
}

// days counts the days from 1970-01-01 to a date of the Gregorian calendar. A
// year starts in March here, so that the leap day is its last.
func days(year, month, day int64) int64 {
	if month <= 2 {
		year--
		month += 12
	}
	year += 400 // so that January and February of year 0 are not negative
	return year*365 + year/4 - year/100 + year/400 + (153*(month-3)+2)/5 + day - 1 - (719_468 + 146_097)
}

// Min and Max are the times that four digits of a year can hold, in Unix
// milliseconds.
const (
	Min = -62_167_219_200_000
	Max = 253_402_300_799_999
)

// Format writes Unix milliseconds as 2025-02-14T10:30:00.000Z. Times outside the
// years 0 to 9999, which do not fit this form, are written as the nearest time that does.
func Format(millis int64) string {
	millis = min(max(millis, Min), Max)
	const perDay = 86_400_000
	day, rest := millis/perDay, millis%perDay
	if rest < 0 {
		day, rest = day-1, rest+perDay
	}
	year := 1970 + day/366
	for days(year+1, 1, 1) <= day {
		year++
	}
	for days(year, 1, 1) > day {
		year--
	}
	month := int64(12)
	for days(year, month, 1) > day {
		month--
	}
	out := []byte("0000-00-00T00:00:00.000Z")
	for _, p := range [...]struct {
		end int
		n   int64
	}{
		{3, year},
		{6, month},
		{9, day - days(year, month, 1) + 1},
		{12, rest / 3_600_000},
		{15, rest / 60_000 % 60},
		{18, rest / 1000 % 60},
		{22, rest % 1000},
	} {
		for at, n := p.end, p.n; n > 0; at, n = at-1, n/10 {
			out[at] = byte('0' + n%10)
		}
	}
	return string(out)
}
