package model

const (
	goakt        = "github.com/tochemey/goakt/v4/actor"
	goaktAdapter = ours + "/adapter/goakt"
)

// goaktRows holds the rows of GoAkt. Actors are values that are handed over, as native ones are. What takes the name of
// an actor has -1 in To. Routers, grains, and what goes over the network have no row.
var goaktRows = join(
	rowsOf(GoAkt, goaktContext, "(*"+goakt+".ReceiveContext)."),
	rowsOf(GoAkt, goaktPID, "(*"+goakt+".PID)."),
	rowsOf(GoAkt, goaktSystem, "("+goakt+".ActorSystem)."),
	rowsOf(GoAkt, goaktFuncs, goakt+"."),
	rowsOf(GoAkt, goaktOthers, ""),
)

// goaktContext is what an actor does when it handles a message.
var goaktContext = map[string]Row{
	"Self":            {Op: Self},
	"Sender":          {Op: Sender},
	"Message":         {Op: Message},
	"Tell":            {Op: Send, To: 1, Msg: 2},
	"BatchTell":       {Op: Send, To: 1, Msg: 2},
	"SendAsync":       {Op: Send, To: -1, Name: 1, Msg: 2},
	"Ask":             {Op: Call, To: 1, Msg: 2, Limit: 3, Blocking: true, Timeout: true},
	"SendSync":        {Op: Call, To: -1, Name: 1, Msg: 2, Limit: 3, Blocking: true, Timeout: true},
	"Request":         {Op: Ask, To: 1, Msg: 2, Timeout: true},
	"RequestName":     {Op: Ask, To: -1, Name: 1, Msg: 2, Timeout: true},
	"Response":        {Op: Respond, Msg: 1},
	"Forward":         {Op: Forward, To: 1},
	"ForwardTo":       {Op: Forward, To: -1, Name: 1},
	"PipeTo":          {Op: Work, To: 1, Func: 2},
	"PipeToName":      {Op: Work, To: -1, Name: 1, Func: 2},
	"Spawn":           {Op: Spawn, Props: 2, Name: 1},
	"Children":        {Op: Children},
	"Child":           {Op: Child},
	"Stop":            {Op: Stop, To: 1},
	"Shutdown":        {Op: Stop},
	"Watch":           {Op: Watch, To: 1},
	"UnWatch":         {Op: Unwatch, To: 1},
	"Become":          {Op: Become, Func: 1},
	"BecomeStacked":   {Op: Become, Func: 1},
	"UnBecome":        {Op: Unbecome},
	"UnBecomeStacked": {Op: Unbecome},
	"Stash":           {Op: Stash},
	"Unstash":         {Op: Unstash},
	"UnstashAll":      {Op: Unstash},
	"Unhandled":       {Op: Unhandled},
	"ActorSystem":     {Op: System},
	"Logger":          {Op: Pure},
	"Context":         {Op: Pure},
	"CorrelationID":   {Op: Pure},
	"Err":             {Op: Pure},
	"Reinstate":       {Op: Pure},
	"ReinstateNamed":  {Op: Pure},
}

// goaktPID is what can be done with a reference: what is sent has that actor as its sender.
var goaktPID = map[string]Row{
	"Tell":        {Op: RequestFrom, To: 2, Msg: 3},
	"BatchTell":   {Op: RequestFrom, To: 2, Msg: 3},
	"SendAsync":   {Op: RequestFrom, To: -1, Name: 2, Msg: 3},
	"Ask":         {Op: Call, To: 2, Msg: 3, Limit: 4, Blocking: true, Timeout: true},
	"SendSync":    {Op: Call, To: -1, Name: 2, Msg: 3, Limit: 4, Blocking: true, Timeout: true},
	"PipeTo":      {Op: Work, To: 2, Func: 3},
	"PipeToName":  {Op: Work, To: -1, Name: 2, Func: 3},
	"SpawnChild":  {Op: Spawn, Props: 3, Name: 2},
	"Parent":      {Op: Parent},
	"Children":    {Op: Children},
	"Child":       {Op: Child},
	"Actor":       {Op: Actor},
	"Stop":        {Op: Stop, To: 2},
	"Shutdown":    {Op: Stop},
	"Watch":       {Op: Watch, To: 1},
	"UnWatch":     {Op: Unwatch, To: 1},
	"ActorSystem": {Op: System},
	"Restart":     {Op: Pure}, "Reinstate": {Op: Pure}, "ReinstateNamed": {Op: Pure},
	"Name": {Op: Pure}, "ID": {Op: Pure}, "Kind": {Op: Pure}, "Path": {Op: Pure}, "Equals": {Op: Pure},
	"IsRunning": {Op: Pure}, "IsStopping": {Op: Pure}, "IsSuspended": {Op: Pure}, "IsLocal": {Op: Pure},
	"IsRemote": {Op: Pure}, "ChildrenCount": {Op: Pure}, "ProcessedCount": {Op: Pure}, "RestartCount": {Op: Pure},
	"StashSize": {Op: Pure}, "Uptime": {Op: Pure}, "Metric": {Op: Pure},
	"LatestActivityTime": {Op: Pure}, "LatestProcessedDuration": {Op: Pure},
}

// goaktSystem is what anybody does.
var goaktSystem = map[string]Row{
	"Spawn":              {Op: Spawn, Props: 3, Name: 2},
	"SpawnFromFunc":      {Op: Spawn, Props: 2},
	"SpawnNamedFromFunc": {Op: Spawn, Props: 3, Name: 2},
	"ActorOf":            {Op: ByName, Name: 2},
	"Kill":               {Op: Stop, To: -1, Name: 2},
	"ReSpawn":            {Op: ByName, Name: 2},
	"ScheduleOnce":       {Op: Timer, Msg: 2, To: 3, Limit: 4},
	"Schedule":           {Op: Timer, Msg: 2, To: 3, Limit: 4},
	"ScheduleWithCron":   {Op: Timer, Msg: 2, To: 3},
	"CancelSchedule":     {Op: CancelTimer},
	"PauseSchedule":      {Op: Pure},
	"ResumeSchedule":     {Op: Pure},
	"Subscribe":          {Op: Pure},
	"Unsubscribe":        {Op: Pure},
	"Start":              {Op: Pure}, "Stop": {Op: Pure}, "Run": {Op: Pure}, "Name": {Op: Pure}, "NoSender": {Op: Pure},
	"Running": {Op: Pure}, "Logger": {Op: Pure}, "NumActors": {Op: Pure}, "ActorExists": {Op: Pure},
	"Register": {Op: Pure}, "Deregister": {Op: Pure}, "Host": {Op: Pure}, "Port": {Op: Pure}, "Uptime": {Op: Pure},
	"Metric": {Op: Pure}, "InCluster": {Op: Pure},
}

var goaktFuncs = map[string]Row{
	"NewActorSystem": {Op: System},
	"Tell":           {Op: Send, To: 1, Msg: 2},
	"BatchTell":      {Op: Send, To: 1, Msg: 2},
	"Ask":            {Op: Call, To: 1, Msg: 2, Limit: 3, Blocking: true, Timeout: true},

	"WithLogger": {Op: Pure}, "WithLoggingDisabled": {Op: Pure}, "WithActorInitMaxRetries": {Op: Pure},
	"WithActorInitTimeout": {Op: Pure}, "WithShutdownTimeout": {Op: Pure}, "WithMetrics": {Op: Pure},
	"WithDefaultSupervisor": {Op: Pure}, "WithMailbox": {Op: Pure}, "WithSupervisor": {Op: Pure},
	"WithLongLived": {Op: Pure}, "WithStashing": {Op: Pure}, "WithPassivationStrategy": {Op: Pure},
	"WithReentrancy": {Op: Pure}, "WithPreStart": {Op: Pure}, "WithPostStop": {Op: Pure}, "WithFuncMailbox": {Op: Pure},
	"WithRelocationDisabled": {Op: Pure}, "WithTimeout": {Op: Pure}, "WithCircuitBreaker": {Op: Pure},
	"WithSender": {Op: Pure}, "WithReference": {Op: Pure}, "WithReentrancyMode": {Op: Pure},
	"WithRequestTimeout": {Op: Pure}, "WithoutRelocation": {Op: Pure},
	"NewBoundedMailbox": {Op: Pure}, "NewUnboundedMailbox": {Op: Pure}, "NewUnboundedFairMailbox": {Op: Pure},
	"NewUnboundedSegmentedMailbox": {Op: Pure}, "NewUnboundedPriorityMailBox": {Op: Pure},
}

var goaktOthers = map[string]Row{
	"(" + goakt + ".RequestCall).Then":      {Op: Reenter, From: 0, Func: 1},
	"(" + goakt + ".RequestCall).Cancel":    {Op: Pure},
	"(*" + goakt + ".Context).ActorSystem":  {Op: System},
	"(*" + goakt + ".Context).Context":      {Op: Pure},
	"(*" + goakt + ".Context).ActorName":    {Op: Pure},
	"(*" + goakt + ".Context).Logger":       {Op: Pure},
	"(*" + goakt + ".Terminated).ActorPath": {Op: Pure},
}

// beyond names what calls lead to that have no row for what they do to actors.
var beyond = map[string]string{
	"(" + goakt + ".ActorSystem).RegisterGrainKind": grains,
	"(" + goakt + ".ActorSystem).GrainIdentity":     grains,
	"(" + goakt + ".ActorSystem).AskGrain":          grains,
	"(" + goakt + ".ActorSystem).TellGrain":         grains,
	"(" + goakt + ".ActorSystem).SpawnRouter":       "routers",
	"(" + goakt + ".ActorSystem).TopicActor":        "topics",
	"(" + goakt + ".ActorSystem).SpawnOn":           "clusters",
	"(" + goakt + ".ActorSystem).SpawnSingleton":    "clusters",
}

const grains = "grains"
