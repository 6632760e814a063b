package model

const (
	proto       = "github.com/asynkron/protoactor-go/actor"
	protoRouter = "github.com/asynkron/protoactor-go/router"
)

// protoactor holds the rows of protoactor-go. What its Context and its RootContext can do is named alike.
var protoactor = join(
	contexts(protoRows, "("+proto+".infoPart).", "("+proto+".basePart).", "("+proto+".messagePart).",
		"("+proto+".senderPart).",
		"("+proto+".receiverPart).", "("+proto+".spawnerPart).", "("+proto+".stopperPart).", "("+proto+".extensionPart).",
		"("+proto+".Context).", "(*"+proto+".RootContext).", "("+proto+".RootContext)."),
	contexts(protoFuncs, proto+"."),
	contexts(protoProps, proto+"."),
	contexts(protoRouters, protoRouter+"."),
	// A struct in versions of 2024, an interface since.
	contexts(protoFutures, "(*"+proto+".Future).", "("+proto+".Future)."),
	contexts(protoOthers, ""),
)

// variables are those of packages that hold functions.
var variables = contexts(map[string]Row{"DefaultSpawner": {Op: Next, Slot: "spawner"}}, proto+".")

// contexts gives rows of the same methods of several types of protoactor-go.
func contexts(methods map[string]Row, types ...string) map[string]Row {
	return rowsOf(Protoactor, methods, types...)
}

// rowsOf gives rows of the same methods of several types of a framework.
func rowsOf(framework string, methods map[string]Row, types ...string) map[string]Row {
	all := map[string]Row{}
	for _, t := range types {
		for name, row := range methods {
			row.Framework = framework
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
	"RequestFuture":           {Op: Ask, To: 1, Msg: 2, Limit: 3, Timeout: true},
	"Respond":                 {Op: Respond, Msg: 1},
	"Forward":                 {Op: Forward, To: 1},
	"ReenterAfter":            {Op: Reenter, From: 1, Func: 2},
	"Stop":                    {Op: Stop, To: 1},
	"Poison":                  {Op: Stop, To: 1, Tell: "PoisonPill"},
	"StopFuture":              {Op: StopAsk, To: 1, Timeout: true},
	"PoisonFuture":            {Op: StopAsk, To: 1, Timeout: true, Tell: "PoisonPill"},
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
	"Get":                     {Op: Pure}, // an extension of this context
	"Actor":                   {Op: Actor},
	"Receive":                 {Op: Handle, Msg: 1},
	"Capture":                 {Op: Capture},          // since 2025
	"Apply":                   {Op: Captured, Msg: 1}, // since 2025
	"Copy":                    {Op: Same},
	"WithHeaders":             {Op: Same},
	"WithSenderMiddleware":    {Op: RootLayer, Func: 1, Slot: "senderMiddlewareChain"},
	"WithSpawnMiddleware":     {Op: RootLayer, Func: 1, Slot: "spawnMiddlewareChain"},
	"WithGuardian":            {Op: RootOption, Func: 1, Slot: "guardianStrategy"},
}

var protoFuncs = map[string]Row{
	"PropsFromProducer":                {Op: Props, Func: 0},
	"PropsFromProducerWithActorSystem": {Op: Props, Func: 0},
	"PropsFromFunc":                    {Op: PropsFunc, Func: 0},
	"NewBehavior":                      {Op: Behaviors},
	"NewActorSystem":                   {Op: System},
	"NewActorSystemWithConfig":         {Op: System},
	"NewRootContext":                   {Op: RootLayer, Func: 2, Slot: "senderMiddlewareChain"},
	"NewFuture":                        {Op: NewFuture, Timeout: true},
	"NewPID":                           {Op: ByName, Name: 1},
	"Configure":                        {Op: Pure},
	"NewConfig":                        {Op: Pure},
	"NewOneForOneStrategy":             {Op: Decider, Func: 2},
	"NewAllForOneStrategy":             {Op: Decider, Func: 2},
	"NewRestartingStrategy":            {Op: Pure},
	"NewExponentialBackoffStrategy":    {Op: Pure},
	"DefaultSupervisorStrategy":        {Op: Pure},
	"RestartingSupervisorStrategy":     {Op: Pure},
	"DefaultDecider":                   {Op: Pure},
	"NewRestartStatistics":             {Op: Pure},
	"NewDefaultDispatcher":             {Op: Pure},
	"NewSynchronizedDispatcher":        {Op: Pure},
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

// protoProps are the options of props. Slots are the fields that hold what the options make.
var protoProps = map[string]Row{
	"WithProducer":           {Op: Option, Func: 0, Slot: "producer"},
	"WithFunc":               {Op: Option, Func: 0, Slot: "producer"},
	"WithSpawnFunc":          {Op: Option, Func: 0, Slot: "spawner"},
	"WithOnInit":             {Op: Option, Func: 0, Slot: "onInit"},
	"WithSupervisor":         {Op: Option, Func: 0, Slot: "supervisionStrategy"},
	"WithGuardian":           {Op: Option, Func: 0, Slot: "guardianStrategy"},
	"WithReceiverMiddleware": {Op: OptionLayer, Func: 0, Slot: "receiverMiddlewareChain"},
	"WithSenderMiddleware":   {Op: OptionLayer, Func: 0, Slot: "senderMiddlewareChain"},
	"WithSpawnMiddleware":    {Op: OptionLayer, Func: 0, Slot: "spawnMiddlewareChain"},
	"WithContextDecorator":   {Op: OptionLayer, Func: 0, Slot: "contextDecoratorChain"},
	"WrapEnvelope":           {Op: Wrap, Msg: 0},
	"UnwrapEnvelope":         {Op: UnwrapHeader, Msg: 0},
	"UnwrapEnvelopeHeader":   {Op: Pure},
	"UnwrapEnvelopeMessage":  {Op: Unwrap, Msg: 0, Slot: "Message"},
	"UnwrapEnvelopeSender":   {Op: Unwrap, Msg: 0, Slot: "Sender"},
	"NewPIDSet":              {Op: SetOf, Func: 0},
}

var protoRouters = map[string]Row{
	"NewBroadcastPool":       {Op: Pool},
	"NewRoundRobinPool":      {Op: Pool},
	"NewRandomPool":          {Op: Pool},
	"NewConsistentHashPool":  {Op: Pool},
	"NewBroadcastGroup":      {Op: Group, Func: 0},
	"NewRoundRobinGroup":     {Op: Group, Func: 0},
	"NewRandomGroup":         {Op: Group, Func: 0},
	"NewConsistentHashGroup": {Op: Group, Func: 0},
}

var protoFutures = map[string]Row{
	"Result": {Op: AwaitBlocking, Blocking: true},
	"Wait":   {Op: AwaitBlocking, Blocking: true},
	"PipeTo": {Op: Pipe, To: 1},
	"PID":    {Op: PIDOf},
}

var protoOthers = map[string]Row{
	"(*" + proto + ".Props).Configure":                 {Op: PropsSame},
	"(*" + proto + ".Props).Clone":                     {Op: PropsClone},
	"(*" + proto + ".CapturedContext).Receive":         {Op: Captured, Msg: 0},
	"(*" + proto + ".CapturedContext).Apply":           {Op: Captured, Msg: 0},
	"(" + proto + ".Supervisor).Children":              {Op: Children},
	"(" + proto + ".Supervisor).EscalateFailure":       {Op: Pure},
	"(" + proto + ".Supervisor).RestartChildren":       {Op: Pure},
	"(" + proto + ".Supervisor).StopChildren":          {Op: Pure},
	"(" + proto + ".Supervisor).ResumeChildren":        {Op: Pure},
	"(*" + proto + ".MessageEnvelope).GetHeader":       {Op: Pure},
	"(*" + proto + ".MessageEnvelope).SetHeader":       {Op: Pure},
	"(" + proto + ".ReadonlyMessageHeader).Get":        {Op: Pure},
	"(" + proto + ".ReadonlyMessageHeader).Keys":       {Op: Pure},
	"(" + proto + ".ReadonlyMessageHeader).Length":     {Op: Pure},
	"(" + proto + ".ReadonlyMessageHeader).ToMap":      {Op: Pure},
	"(*" + proto + ".PIDSet).Add":                      {Op: SetAdd, Func: 1},
	"(*" + proto + ".PIDSet).Remove":                   {Op: Pure},
	"(*" + proto + ".PIDSet).Contains":                 {Op: Pure},
	"(*" + proto + ".PIDSet).Clear":                    {Op: Pure},
	"(*" + proto + ".PIDSet).Len":                      {Op: Pure},
	"(*" + proto + ".PIDSet).Empty":                    {Op: Pure},
	"(*" + proto + ".PIDSet).Values":                   {Op: SetAll},
	"(*" + proto + ".PIDSet).Get":                      {Op: SetOne},
	"(*" + proto + ".PIDSet).ForEach":                  {Op: SetEach, Func: 1},
	"(*" + proto + ".PIDSet).Clone":                    {Op: Same},
	"(" + proto + ".SupervisorStrategy).HandleFailure": {Op: Decide, Msg: 5},
	"(*" + proto + ".Behavior).Become":                 {Op: Become, Func: 1},
	"(*" + proto + ".Behavior).BecomeStacked":          {Op: Become, Func: 1},
	"(*" + proto + ".Behavior).UnbecomeStacked":        {Op: Unbecome},
	"(*" + proto + ".Behavior).Receive":                {Op: BehaviorDo},
	"(*" + proto + ".PID).Equal":                       {Op: Pure},
	"(*" + proto + ".PID).String":                      {Op: Pure},
	"(*" + proto + ".PID).GetId":                       {Op: Pure},
	"(*" + proto + ".PID).GetAddress":                  {Op: Pure},
	"(*" + proto + ".PID).GetRequestId":                {Op: Pure},
	"(*" + proto + ".ActorSystem).NewLocalPID":         {Op: ByName, Name: 1},
	"(*" + proto + ".ActorSystem).Shutdown":            {Op: Pure},
	"(*" + proto + ".ActorSystem).Logger":              {Op: Pure},
	"(*" + proto + ".ActorSystem).Address":             {Op: Pure},
	"(*" + proto + ".ActorSystem).IsStopped":           {Op: Pure},
	"(*" + proto + ".Terminated).GetWho": {Op: Unwrap, Msg: 0,
		Slot: "Who"},
	"(*" + proto + ".Touched).GetWho": {Op: Unwrap, Msg: 0,
		Slot: "Who"},
	"(*" + protoRouter + ".AddRoutee).GetPID": {Op: Unwrap, Msg: 0,
		Slot: "PID"},
	"(*" + protoRouter + ".RemoveRoutee).GetPID": {Op: Unwrap, Msg: 0,
		Slot: "PID"},
	"(*" + protoRouter + ".Routees).GetPIDs": {Op: Unwrap, Msg: 0,
		Slot: "PIDs"},
	"(*" + proto + ".Terminated).GetWhy":                             {Op: Pure},
	"(*github.com/asynkron/protoactor-go/extensions.Extensions).Get": {Op: Pure},
	proto + "/middleware.Logger":                                     {Op: Same},
	"github.com/asynkron/protoactor-go/scheduler.NewTimerScheduler":  {Op: Same},
	"(*github.com/asynkron/protoactor-go/scheduler.TimerScheduler).SendOnce": {Op: Timer, To: 2, Msg: 3,
		Limit: 1},
	"(*github.com/asynkron/protoactor-go/scheduler.TimerScheduler).SendRepeatedly": {Op: Timer, To: 3, Msg: 4,
		Limit: 1},
	"(*github.com/asynkron/protoactor-go/scheduler.TimerScheduler).RequestOnce": {Op: RequestTimer, To: 2,
		Msg: 3, Limit: 1},
	"(*github.com/asynkron/protoactor-go/scheduler.TimerScheduler).RequestRepeatedly": {Op: RequestTimer, To: 3,
		Msg: 4, Limit: 1},
	"(*github.com/asynkron/protoactor-go/eventstream.EventStream).Publish":                {Op: Publish, Msg: 1},
	"(*github.com/asynkron/protoactor-go/eventstream.EventStream).Subscribe":              {Op: Subscribe, Func: 1},
	"(*github.com/asynkron/protoactor-go/eventstream.EventStream).SubscribeWithPredicate": {Op: Subscribe, Func: 1},
	"(*github.com/asynkron/protoactor-go/eventstream.EventStream).Unsubscribe":            {Op: Pure},
}
