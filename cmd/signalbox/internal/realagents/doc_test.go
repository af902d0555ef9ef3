// Package realagents holds the tests that drive the real programs of agents against a
// scripted model: each is set up by "signalbox setup", is told of mail by its hooks, reads
// and answers it by its tools, is held at its stop and asks the person.
//
// Start with TestAgents in story_test.go. clients_test.go is what the programs differ in,
// model_test.go and wire_test.go play the model. The tests are built with the tag agents,
// since they need the programs: make test-agents installs them, at the versions of
// testdata/agents.
package realagents
