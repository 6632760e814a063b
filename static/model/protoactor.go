package model

const (
	proto   = "github.com/asynkron/protoactor-go/actor"
	protoGo = "protoactor-go"
)

// protoactor holds the rows of protoactor-go. What its Context and its RootContext can do is named alike.
var protoactor = join(
	contexts(protoRows, "("+proto+".infoPart).", "("+proto+".basePart).", "("+proto+".messagePart).", "("+proto+".senderPart).",
		"("+proto+".receiverPart).", "("+proto+".spawnerPart).", "("+proto+".stopperPart).", "("+proto+".extensionPart).",
		"(*"+proto+".RootContext).", "("+proto+".RootContext)."),
	contexts(protoFuncs, proto+"."),
	contexts(protoOthers, ""),
)

// contexts gives rows of the same methods of several types.
func contexts(methods map[string]Row, types ...string) map[string]Row {
	all := map[string]Row{}
	for _, t := range types {
		for name, row := range methods {
			row.Framework = protoGo
			all[t+name] = row
		}
	}
	return all
}

var protoRows = map[string]Row{
	"Spawn":                   {Op: Spawn, Props: 1},
	"SpawnPrefix":             {Op: Spawn, Props: 1, Name: 2},
	"SpawnNamed":              {Op: Spawn, Props: 1, Name: 2},
	"Send":                    {Op: Send, To: 1, Msg: 2},
	"Request":                 {Op: Request, To: 1, Msg: 2},
	"RequestWithCustomSender": {Op: RequestFrom, To: 1, Msg: 2, From: 3},
	"RequestFuture":           {Op: Ask, To: 1, Msg: 2, Timeout: true},
	"Respond":                 {Op: Respond, Msg: 1},
	"Forward":                 {Op: Forward, To: 1},
	"ReenterAfter":            {Op: Reenter, From: 1, Func: 2},
	"Stop":                    {Op: Stop, To: 1},
	"Poison":                  {Op: Stop, To: 1},
	"StopFuture":              {Op: StopAsk, To: 1, Timeout: true},
	"PoisonFuture":            {Op: StopAsk, To: 1, Timeout: true},
	"Watch":                   {Op: Watch, To: 1},
	"Unwatch":                 {Op: Unwatch, To: 1},
	"SetReceiveTimeout":       {Op: IdleTimer},
	"CancelReceiveTimeout":    {Op: CancelTimer},
	"ReceiveTimeout":          {Op: Pure},
	"Self":                    {Op: Self},
	"Sender":                  {Op: Sender},
	"Message":                 {Op: Message},
	"Parent":                  {Op: Parent},
	"Children":                {Op: Children},
	"Stash":                   {Op: Stash},
	"ActorSystem":             {Op: System},
	"Logger":                  {Op: Pure},
	"MessageHeader":           {Op: Pure},
	"Copy":                    {Op: Same},
	"WithHeaders":             {Op: Same},
	"WithGuardian":            {Op: Same},
}

var protoFuncs = map[string]Row{
	"PropsFromProducer":                {Op: Props, Func: 0},
	"PropsFromProducerWithActorSystem": {Op: Props, Func: 0},
	"PropsFromFunc":                    {Op: PropsFunc, Func: 0},
	"NewBehavior":                      {Op: Behaviors},
	"NewActorSystem":                   {Op: System},
	"NewActorSystemWithConfig":         {Op: System},
	"NewRootContext":                   {Op: System},
	"NewFuture":                        {Op: NewFuture, Timeout: true},
	"NewPID":                           {Op: ByName, Name: 1},
	"Configure":                        {Op: Pure},
	"NewConfig":                        {Op: Pure},
	"NewOneForOneStrategy":             {Op: Pure},
	"NewAllForOneStrategy":             {Op: Pure},
	"NewRestartingStrategy":            {Op: Pure},
	"NewExponentialBackoffStrategy":    {Op: Pure},
	"DefaultSupervisorStrategy":        {Op: Pure},
	"RestartingSupervisorStrategy":     {Op: Pure},
	"DefaultDecider":                   {Op: Pure},
	"NewRestartStatistics":             {Op: Pure},
	"NewDefaultDispatcher":             {Op: Pure},
	"NewSynchronizedDispatcher":        {Op: Pure},
	"WithGuardian":                     {Op: Pure},
	"WithSupervisor":                   {Op: Pure},
	"WithMailbox":                      {Op: Pure},
	"WithDispatcher":                   {Op: Pure},
	"Unbounded":                        {Op: Pure},
	"UnboundedLockfree":                {Op: Pure},
	"Bounded":                          {Op: Pure},
	"BoundedDropping":                  {Op: Pure},
	"WithLoggerFactory":                {Op: Pure},
	"WithDeadLetterThrottleInterval":   {Op: Pure},
	"WithDeadLetterThrottleCount":      {Op: Pure},
	"WithDeadLetterRequestLogging":     {Op: Pure},
	"WithDeveloperSupervisionLogging":  {Op: Pure},
}

var protoOthers = map[string]Row{
	"(*" + proto + ".Props).Configure":                                                    {Op: PropsSame},
	"(*" + proto + ".Props).Clone":                                                        {Op: PropsSame},
	"(*" + proto + ".Behavior).Become":                                                    {Op: Become, Func: 1},
	"(*" + proto + ".Behavior).BecomeStacked":                                             {Op: Become, Func: 1},
	"(*" + proto + ".Behavior).UnbecomeStacked":                                           {Op: Unbecome},
	"(*" + proto + ".Behavior).Receive":                                                   {Op: BehaviorDo},
	"(*" + proto + ".Future).Result":                                                      {Op: AwaitBlocking, Blocking: true},
	"(*" + proto + ".Future).Wait":                                                        {Op: AwaitBlocking, Blocking: true},
	"(*" + proto + ".Future).PipeTo":                                                      {Op: Pipe, To: 1},
	"(*" + proto + ".Future).PID":                                                         {Op: PIDOf},
	"(*" + proto + ".PID).Equal":                                                          {Op: Pure},
	"(*" + proto + ".PID).String":                                                         {Op: Pure},
	"(*" + proto + ".PID).GetId":                                                          {Op: Pure},
	"(*" + proto + ".PID).GetAddress":                                                     {Op: Pure},
	"(*" + proto + ".PID).GetRequestId":                                                   {Op: Pure},
	"(*" + proto + ".ActorSystem).NewLocalPID":                                            {Op: ByName, Name: 1},
	"(*" + proto + ".ActorSystem).Shutdown":                                               {Op: Pure},
	"(*" + proto + ".ActorSystem).Logger":                                                 {Op: Pure},
	"(*" + proto + ".ActorSystem).Address":                                                {Op: Pure},
	"(*" + proto + ".ActorSystem).IsStopped":                                              {Op: Pure},
	"(*" + proto + ".Terminated).GetWho":                                                  {Op: Unknown},
	"(*" + proto + ".Terminated).GetWhy":                                                  {Op: Pure},
	"github.com/asynkron/protoactor-go/scheduler.NewTimerScheduler":                       {Op: System},
	"(*github.com/asynkron/protoactor-go/scheduler.TimerScheduler).SendOnce":              {Op: Timer, To: 2, Msg: 3},
	"(*github.com/asynkron/protoactor-go/scheduler.TimerScheduler).SendRepeatedly":        {Op: Timer, To: 3, Msg: 4},
	"(*github.com/asynkron/protoactor-go/scheduler.TimerScheduler).RequestOnce":           {Op: RequestTimer, To: 2, Msg: 3},
	"(*github.com/asynkron/protoactor-go/scheduler.TimerScheduler).RequestRepeatedly":     {Op: RequestTimer, To: 3, Msg: 4},
	"(*github.com/asynkron/protoactor-go/eventstream.EventStream).Publish":                {Op: Publish, Msg: 1},
	"(*github.com/asynkron/protoactor-go/eventstream.EventStream).Subscribe":              {Op: Subscribe, Func: 1},
	"(*github.com/asynkron/protoactor-go/eventstream.EventStream).SubscribeWithPredicate": {Op: Subscribe, Func: 1},
	"(*github.com/asynkron/protoactor-go/eventstream.EventStream).Unsubscribe":            {Op: Pure},
}
