package source

import (
	"context"
	"sync"

	"github.com/signalbox-dev/signalbox/core/agn"
	agnstore "github.com/signalbox-dev/signalbox/lsp/agn"
	"github.com/signalbox-dev/signalbox/lsp/panel"
	"github.com/signalbox-dev/signalbox/lsp/panel/show"
	"github.com/signalbox-dev/signalbox/lsp/who/environ"
)

// directory is a followed task directory, with its watchdog if it has one.
type directory struct {
	live     *agnstore.Live
	path     string
	origin   string
	logs     bool // rejected messages are logged
	watchdog *running
}

// running is a watchdog that runs until stop is called.
type running struct {
	stop context.CancelFunc
	done sync.WaitGroup
}

// follow opens a directory and follows it. logs sets whether it logs rejected messages there.
func (s *source) follow(c environ.Choice, logs bool) *directory {
	path, options := c.Value, s.host.Options
	return &directory{path: path, origin: c.Origin, logs: logs, live: agnstore.OpenLive(agnstore.Config{
		Path: path, Log: logs, Once: options.Once, Now: options.Now, Logger: options.Log,
		Changed: func(c agnstore.Change) { s.changed(path, c) },
	})}
}

// setWatchdog starts or stops a directory's watchdog.
func (s *source) setWatchdog(d *directory, on bool) {
	if on == (d.watchdog != nil) {
		return
	}
	if !on {
		d.stopWatchdog()
		return
	}
	ctx, cancel := context.WithCancel(context.Background())
	d.watchdog = &running{stop: cancel}
	dog := agnstore.NewWatchdog(agnstore.WatchdogConfig{Path: d.path, Live: d.live, Now: s.host.Options.Now, Logger: s.host.Options.Log})
	d.watchdog.done.Go(func() { dog.Run(ctx) })
}

func (d *directory) stopWatchdog() {
	if d.watchdog != nil {
		d.watchdog.stop()
		d.watchdog.done.Wait()
		d.watchdog = nil
	}
}

// close stops the watchdog, then stops following the directory.
func (d *directory) close() {
	d.stopWatchdog()
	d.live.Close()
}

// open is a directory at the moment of a view.
type open struct {
	*agnstore.Snapshot
	live     *agnstore.Live
	origin   string
	watchdog bool
}

// shown reports whether pages show the directory. One that a flag, the settings or the
// environment name is always shown. A default one is shown only if it is there as a
// directory or holds tasks or rejected messages.
func (o *open) shown() bool {
	switch o.origin {
	case "--ssot", "setting signalbox.tasks.directory", "SIGNALBOX_SSOT":
		return true
	}
	return o.Exists && o.Err == nil || len(o.Tasks)+len(o.Rejected) > 0
}

// status returns the directory as the status lists it.
func (o *open) status() panel.SSOT {
	out := panel.SSOT{
		Path: show.Line(o.Path), Origin: o.origin, Store: o.ID, Own: o.Own, Exists: o.Exists, Writable: o.Writable,
		Watching: panel.Watching(o.Watching), Watchdog: o.watchdog, Tasks: len(o.Tasks), Messages: o.Messages, Rejected: len(o.Rejected),
	}
	if o.Err != nil {
		out.Error = show.Line(o.Err.Error())
	}
	return out
}

// Status adds the task directories. A directory that is not listed may still add
// warnings.
func (v *view) Status(s *panel.Status) {
	list := make([]*agnstore.Snapshot, 0, len(v.directories))
	for i := range v.directories {
		o := &v.directories[i]
		list = append(list, o.Snapshot)
		s.Indexing = s.Indexing || !o.Ready
		if o.shown() {
			s.SSOTs = append(s.SSOTs, o.status())
		}
	}
	alarms := v.Alarming()
	s.Critical, s.Overdue = alarms.Critical, alarms.Overdue
	s.Warnings = append(s.Warnings, problems(list)...)
}

// problems returns the warnings about directories.
func problems(list []*agnstore.Snapshot) []panel.Warning {
	warnings := []panel.Warning{}
	for _, s := range list {
		if s.Err != nil {
			warnings = append(warnings, panel.Warning{Rule: "E13", Message: show.Line(s.Path + ": " + s.Err.Error())})
		}
		for _, p := range s.Problems {
			warnings = append(warnings, panel.Problem(p.Path, p.Rule, p.Reason, p.Advice))
		}
	}
	return panel.Some(warnings, panel.Warning{Rule: "E0", Message: "and more: run signalbox doctor"})
}

// Alarming counts open escalations, with malformed ones, and the tasks with something
// overdue that nobody escalated.
func (v *view) Alarming() (a panel.Alarms) {
	add := func(severity string) {
		a.Open++
		if severity == agn.Critical {
			a.Critical++
		}
	}
	for _, s := range v.shown {
		for _, x := range s.Rejected {
			if x.MalformedEscalation != nil {
				add(x.MalformedEscalation.Payload.Escalation.ShownSeverity())
			}
		}
		for _, t := range s.Tasks {
			a.Overdue += min(len(t.Alarms(v.now)), 1)
			open := openOf(t, v.now)
			for i := range t.History.Messages {
				m := &t.History.Messages[i]
				if e := m.Payload.Escalation; e != nil && open[m.ID] {
					add(e.Severity)
				}
			}
		}
	}
	return a
}
