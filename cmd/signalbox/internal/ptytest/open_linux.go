package ptytest

import (
	"bytes"
	"errors"
	"fmt"
	"io"
	"os"
	"os/exec"
	"regexp"
	"syscall"

	"golang.org/x/sys/unix"
)

// Open returns both ends of a new terminal: text written to keys is typed on it, and text
// that a program writes to tty can be read from keys. The caller closes both.
func Open(columns, rows uint16) (keys, tty *os.File, err error) {
	if keys, err = os.OpenFile("/dev/ptmx", os.O_RDWR|unix.O_NOCTTY, 0); err != nil {
		return nil, nil, err
	}
	number, err := prepare(keys, columns, rows)
	if err == nil {
		tty, err = os.OpenFile(fmt.Sprintf("/dev/pts/%d", number), os.O_RDWR|unix.O_NOCTTY, 0)
	}
	if err != nil {
		return nil, nil, errors.Join(err, keys.Close())
	}
	return keys, tty, nil
}

// prepare unlocks a terminal, sets its size, and returns its number. It does not call Fd:
// closing the file would then wait for a blocked read.
func prepare(keys *os.File, columns, rows uint16) (number int, err error) {
	conn, err := keys.SyscallConn()
	if err != nil {
		return 0, err
	}
	failed := conn.Control(func(p uintptr) {
		fd := int(p)
		if number, err = unix.IoctlGetInt(fd, unix.TIOCGPTN); err == nil {
			err = unix.IoctlSetPointerInt(fd, unix.TIOCSPTLCK, 0)
		}
		if err == nil {
			err = unix.IoctlSetWinsize(fd, unix.TIOCSWINSZ, &unix.Winsize{Row: rows, Col: columns})
		}
	})
	return number, errors.Join(failed, err)
}

// Session returns the attributes of a process whose standard input is its terminal.
func Session() *syscall.SysProcAttr { return &syscall.SysProcAttr{Setsid: true, Setctty: true} }

// erased is text that the terminal no longer shows: the start of a line that was erased.
var erased = regexp.MustCompile(`[^\n]*\r\x1b\[K`)

// Run runs a command on its own terminal, types a text on it, and writes what the
// terminal shows to out, with plain line ends.
func Run(cmd *exec.Cmd, columns, rows uint16, typed string, out io.Writer) error {
	keys, tty, err := Open(columns, rows)
	if err != nil {
		return err
	}
	defer keys.Close()
	cmd.Stdin, cmd.Stdout, cmd.Stderr = tty, tty, tty
	cmd.SysProcAttr = Session()
	err = cmd.Start()
	if err = errors.Join(err, tty.Close()); err != nil {
		return err
	}
	if _, err := io.WriteString(keys, typed); err != nil {
		return err
	}
	// Reading ends with an error once the last program on the terminal has ended.
	shown, _ := io.ReadAll(keys)
	_, err = out.Write(erased.ReplaceAll(bytes.ReplaceAll(shown, []byte("\r\n"), []byte("\n")), nil))
	return errors.Join(cmd.Wait(), err)
}
