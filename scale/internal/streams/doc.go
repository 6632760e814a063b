// Package streams keeps one job on a NATS server: its tasks, their results, and what its processes tell each other.
//
//	names.go    what things are called on the server, and which names are allowed
//	job.go      making, opening and deleting what a job has on the server
//	check.go    whether it is still what was made
//	envelope.go the bytes of a message; large.go: data that are too large for one
//	publish.go  a message that is stored once under its name
//	tasks.go    a work queue: publish, pull, acknowledge; depth.go: how many wait
//	results.go  one result a task: the first one wins; fold.go reads them all in their order
//	split.go    idle workers ask busy ones for a part of what they have
//	state.go    stop and state of the job; workers.go: who is alive; begun.go: who may have died of what
//	list.go     the jobs of a server; announce.go: telling idle workers of one
//	coordinator.go  who else reads the results of a job
//	files.go    files of a job
//	errors.go   errors in plain words
//
//	assumes:    a task that is executed twice gives results that mean the same
//	            workers publish the result of a task, and acknowledge the task after that
//	invariants: I1 a task has at most one result, ever: whoever publishes second is told
//	            I2 a task that was published has a result, is in the queue, or is being executed: it comes back if its
//	               worker is silent for AckWait. A power cut without SyncAlways breaks this
//	            I3 results are read in the order of their sequence numbers, without a gap; a gap is ErrLost
//	            I4 a handle works on the streams that were made together, known by their id, or gives ErrLost: never on
//	               those of another job of the same name
//	            I5 what is read from the server has a bounded size and is decoded strictly; nothing in it panics here
//	            I6 an error means that nothing was stored, or that it is not known: then trying again is safe
//	checked by: the tests here with real servers, which are stopped, emptied, filled; fuzzing of the decoders
//
// On the server a job NAME with the id ID has
//
//	stream rehearse-NAME-results   rehearse.NAME.ID.result.TASK   kept until the job is deleted
//	stream rehearse-NAME-tasks     rehearse.NAME.ID.task.TASK     a work queue with the consumer workers-ID
//	bucket rehearse-NAME-state     keys ID.stop, ID.state, ID.begun.TASK.NUMBER
//	bucket rehearse-NAME-alive     keys ID.worker.WORKER          each is forgotten after some seconds
//	objects rehearse-NAME-objects  data that are too large for a message
//	subject rehearse.NAME.ID.split requests to busy workers, which nobody stores
//	subject rehearse.NAME.ID.needs, .reads  questions to other coordinators, which nobody stores
//
// The id is in subjects and keys for I4: a message for a job that was deleted and made again finds no stream.
package streams
