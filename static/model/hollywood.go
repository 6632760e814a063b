package model

const (
	hollywood        = "github.com/anthdm/hollywood/actor"
	hollywoodAdapter = ours + "/adapter/hollywood"
)

// hollywoodRows holds the rows of Hollywood. Producers are functions that give a receiver, SpawnFunc takes the receiver
// itself: row.Props is either. What stops an actor, and what subscribes, has no exported type in the framework; the
// rows have the names that traces have.
var hollywoodRows = join(
	rowsOf(Hollywood, hollywoodContext, "(*"+hollywood+".Context)."),
	rowsOf(Hollywood, hollywoodEngine, "(*"+hollywood+".Engine)."),
	rowsOf(Hollywood, hollywoodFuncs, hollywood+"."),
	rowsOf(Hollywood, hollywoodOthers, ""),
)

// hollywoodContext is what an actor does. What it sends has it as the sender.
var hollywoodContext = map[string]Row{
	"SpawnChild":     {Op: Spawn, Props: 1, Name: 2},
	"SpawnChildFunc": {Op: Spawn, Props: 1, Name: 2},
	"Send":           {Op: Send, To: 1, Msg: 2},
	"Request":        {Op: Ask, To: 1, Msg: 2, Limit: 3, Timeout: true},
	"Respond":        {Op: Respond, Msg: 1},
	"Forward":        {Op: Forward, To: 1},
	"SendRepeat":     {Op: Timer, To: 1, Msg: 2, Limit: 3},
	"GetPID":         {Op: ByName, Name: 1},
	"PID":            {Op: Self},
	"Sender":         {Op: Sender},
	"Message":        {Op: Message},
	"Parent":         {Op: Parent},
	"Children":       {Op: Children},
	"Child":          {Op: Child},
	"Engine":         {Op: System},
	"Receiver":       {Op: Actor},
	"Context":        {Op: Pure},
}

// hollywoodEngine is what anybody does. What is sent has no sender unless the call says so.
var hollywoodEngine = map[string]Row{
	"Spawn":          {Op: Spawn, Props: 1, Name: 2},
	"SpawnFunc":      {Op: Spawn, Props: 1, Name: 2},
	"Send":           {Op: Send, To: 1, Msg: 2},
	"SendLocal":      {Op: RequestFrom, To: 1, Msg: 2, From: 3},
	"SendWithSender": {Op: RequestFrom, To: 1, Msg: 2, From: 3},
	"Request":        {Op: Ask, To: 1, Msg: 2, Limit: 3, Timeout: true},
	"SendRepeat":     {Op: Timer, To: 1, Msg: 2, Limit: 3},
	"Stop":           {Op: Stop, To: 1, Tell: "Stop"},
	"Poison":         {Op: Stop, To: 1, Tell: "Poison"},
	"PoisonCtx":      {Op: Stop, To: 2, Tell: "Poison"},
	"BroadcastEvent": {Op: Publish, Msg: 1},
	"Subscribe":      {Op: Listen, To: 1, Tell: "Subscribe"},
	"Unsubscribe":    {Op: Unlisten, To: 1, Tell: "Unsubscribe"},
	"Address":        {Op: Pure},
}

var hollywoodFuncs = map[string]Row{
	"NewEngine":        {Op: System},
	"NewEngineConfig":  {Op: Pure},
	"NewPID":           {Op: ByName, Name: 1},
	"NewResponse":      {Op: NewFuture, Timeout: true},
	"WithMiddleware":   {Op: OptionLayer, Func: 0, Slot: "receiverMiddlewareChain"},
	"WithID":           {Op: Option, Func: 0, Slot: "id"},
	"WithContext":      {Op: Pure},
	"WithRestartDelay": {Op: Pure},
	"WithInboxSize":    {Op: Pure},
	"WithMaxRestarts":  {Op: Pure},
}

var hollywoodOthers = map[string]Row{
	"(*" + hollywood + ".Response).Result":  {Op: AwaitBlocking, Blocking: true},
	"(*" + hollywood + ".Response).PID":     {Op: PIDOf},
	"(" + hollywood + ".SendRepeater).Stop": {Op: CancelTimer},
	"(*" + hollywood + ".Registry).GetPID":  {Op: ByName, Name: 1, From: 2},
	"(*" + hollywood + ".PID).Child":        {Op: ByName, Name: -1},
	"(*" + hollywood + ".PID).CloneVT":      {Op: Same},
	"(*" + hollywood + ".PID).String":       {Op: Pure},
	"(*" + hollywood + ".PID).Equals":       {Op: Pure},
	"(*" + hollywood + ".PID).LookupKey":    {Op: Pure},
	"(*" + hollywood + ".PID).GetID":        {Op: Pure},
	"(*" + hollywood + ".PID).GetAddress":   {Op: Pure},
}

// HollywoodEvents are the messages that a framework sends to those that listen to its events, by the names of their
// types.
var HollywoodEvents = []string{"ActorInitializedEvent", "ActorStartedEvent", "ActorStoppedEvent",
	"ActorRestartedEvent", "ActorMaxRestartsExceededEvent", "ActorDuplicateIdEvent", "EngineRemoteMissingEvent",
	"DeadLetterEvent"}
