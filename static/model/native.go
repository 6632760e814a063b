package model

const ours = "github.com/rehearse-go/rehearse"

// native holds the rows of native actors and of the entry points of Rehearse. T is a testing.T to a program.
var native = func() map[string]Row {
	all := map[string]Row{}
	for name, row := range nativeRows {
		row.Framework = Native
		all["(*"+ours+"/actor.Context)."+name] = row
	}
	for name, row := range entries {
		all[name] = row
	}
	return all
}()

var nativeRows = map[string]Row{
	"Spawn":       {Op: Spawn, Props: 1},
	"SpawnNamed":  {Op: Spawn, Props: 2, Name: 1},
	"Send":        {Op: Send, To: 1, Msg: 2},
	"Reply":       {Op: Respond, Msg: 1},
	"Call":        {Op: Call, To: 1, Msg: 2, Blocking: true},
	"CallTimeout": {Op: Call, To: 1, Msg: 2, Limit: 3, Blocking: true, Timeout: true},
	"Ask":         {Op: Ask, To: 1, Msg: 2},
	"Await":       {Op: Await, From: 1},
	"AwaitUntil":  {Op: AwaitCond, Func: 1},
	"Receive":     {Op: Receive, Func: 1, Blocking: true},
	"Become":      {Op: Become, Func: 1},
	"Unbecome":    {Op: Unbecome},
	"Stop":        {Op: Stop},
	"StopActor":   {Op: Stop, To: 1},
	"Watch":       {Op: Watch, To: 1},
	"After":       {Op: Timer, Msg: 2, Limit: 1},
	"Cancel":      {Op: CancelTimer},
	"Stash":       {Op: Stash},
	"UnstashAll":  {Op: Unstash},
	"Choose":      {Op: Choose},
	"Self":        {Op: Self},
	"Sender":      {Op: Sender},
	"Unhandled":   {Op: Unhandled},
	"Name":        {Op: Pure},
	"Now":         {Op: Pure},
	"T":           {Op: Pure},
}

var entries = map[string]Row{
	ours + "/actor.New":                         {Op: Driver, Func: 0},
	ours + "/adapter/protoactor.System":         {Op: Driver, Func: 0},
	ours + "/adapter/protoactor.NewActorSystem": {Op: System},
	hollywoodAdapter + ".System":                {Op: Driver, Func: 0},
	hollywoodAdapter + ".NewEngine":             {Op: System},
	hollywoodAdapter + ".Control":               {Op: System},
	goaktAdapter + ".System":                    {Op: Driver, Func: 0},
	goaktAdapter + ".NewActorSystem":            {Op: System},
	goaktAdapter + ".Control":                   {Op: System},
	"(*" + ours + "/actor.Future).Ready":        {Op: Pure},
	"(" + ours + "/actor.Ref).String":           {Op: Pure},
	"(*" + ours + "/explore.T).Choose":          {Op: Choose},
}
