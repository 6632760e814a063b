package model

import (
	"go/types"
	"strings"
)

// Does says what a function of a library does to memory and to the world beside it. Unless it says so, the function
// only reads what it is given; what it gives may hold that, and functions that it is given it calls.
type Does struct {
	Writes  Args     // arguments that lead to what it may change
	Appends bool     // what it writes of argument 0 lies behind the end of the slice, as builtin append does
	Asks    []string // methods that it may call of whatever its arguments hold
	Row     Op       // what it is for values, if not Pure
	Opaque  bool     // no Op tells what it does to values
}

// Args is a set of arguments, which are counted as in Row.
type Args uint16

// Has reports whether an argument is in the set.
func (a Args) Has(i int) bool { return i < 16 && a&(1<<i) != 0 }

const (
	first  Args = 1
	second Args = 2
	third  Args = 4
	// All arguments.
	every Args = 1<<16 - 1
)

// Methods by which libraries print, encode, sort and so on what they do not know.
var (
	printing = []string{"Error", "Format", "GoString", "String"}
	logging  = append([]string{"LogValue", "MarshalJSON", "MarshalText"}, printing...)
	zapping  = append([]string{"MarshalLogArray", "MarshalLogObject"}, logging...)
	zeroing  = append([]string{"MarshalZerologArray", "MarshalZerologObject", "Run"}, logging...)
	encoding = []string{"AppendText", "Error", "IsZero", "MarshalJSON", "MarshalText", "String"}
	decoding = []string{"UnmarshalJSON", "UnmarshalText"}
	matching = []string{"As", "Is", "Unwrap"}
	sorting  = []string{"Len", "Less", "Swap"}
	heaping  = []string{"Len", "Less", "Pop", "Push", "Swap"}
	writing  = []string{"Write", "WriteString", "WriteByte"}
)

// libraries is the table. Functions and methods are listed by names, T.M for a method of T or *T; "*" and "T.*" stand
// for all that are not listed, so "*" is for packages whose functions are all alike. A function that is in none of
// these lists may do anything to what it is given.
var libraries = []struct {
	path, names string
	Does
}{
	{"errors", "New Is", Does{Asks: matching}}, {"errors", "Join Unwrap", Does{Asks: matching, Opaque: true}},
	{"errors", "As", Does{Asks: matching, Writes: second, Opaque: true}},
	{"github.com/pkg/errors", "New Errorf Wrap Wrapf WithMessage WithMessagef WithStack Cause Is Unwrap",
		Does{Asks: append(matching, printing...)}},

	{"fmt", "Sprint Sprintf Sprintln Errorf Print Printf Println", Does{Asks: printing}},
	{"fmt", "Append Appendf Appendln", Does{Asks: printing, Writes: first, Appends: true}},
	{"fmt", "Fprint Fprintf Fprintln", Does{Asks: append(writing, printing...), Writes: first}},
	{"fmt", "Sscan Sscanf Sscanln", Does{Writes: every &^ first, Asks: []string{"Scan"}, Opaque: true}},

	{"strconv", "*", Does{}},
	{"strconv", "AppendBool AppendFloat AppendInt AppendQuote AppendQuoteRune AppendQuoteRuneToASCII AppendQuoteRuneToGraphic AppendQuoteToASCII " +
		"AppendQuoteToGraphic AppendUint", Does{Writes: first, Appends: true}},
	{"strconv", "NumError.*", Does{}},

	{"strings", "*", Does{}},
	{"strings", "Builder.*", Does{Writes: first}},
	{"strings", "Builder.String Builder.Len Builder.Cap Reader.Len Reader.Size Replacer.Replace", Does{}},
	{"strings", "Reader.Read Reader.ReadAt", Does{Writes: first | second}},
	{"strings", "Reader.ReadByte Reader.ReadRune Reader.UnreadByte Reader.UnreadRune Reader.Seek Reader.Reset",
		Does{Writes: first}},
	{"bytes", "*", Does{}},
	{"bytes", "Buffer.*", Does{Writes: first}},
	{"bytes", "Buffer.String Buffer.Len Buffer.Cap Buffer.Bytes Buffer.Available Buffer.AvailableBuffer Reader.Len Reader.Size", Does{}},
	{"bytes", "Buffer.Read Reader.Read Reader.ReadAt", Does{Writes: first | second}},
	{"bytes", "Buffer.ReadFrom Buffer.WriteTo", Does{Writes: first | second, Asks: append([]string{"Read"}, writing...)}},
	{"unicode", "*", Does{}}, {"unicode/utf8", "*", Does{}}, {"unicode/utf16", "*", Does{}},
	{"unicode/utf8", "EncodeRune", Does{Writes: first}},
	{"unicode/utf8", "AppendRune", Does{Writes: first, Appends: true}},
	{"unicode/utf16", "AppendRune", Does{Writes: first, Appends: true}},
	{"regexp", "MustCompile Compile MatchString Match QuoteMeta Regexp.*", Does{}},
	{"regexp", "Regexp.Longest", Does{Writes: first}},
	{"regexp", "Regexp.Expand Regexp.ExpandString", Does{Writes: second, Appends: true}},
	{"path", "*", Does{}}, {"html", "*", Does{}}, {"cmp", "*", Does{}}, {"cmp", "Or", Does{Row: Mix}},
	{"path/filepath", "Base Clean Dir Ext FromSlash IsAbs IsLocal Join Match Rel Split SplitList ToSlash VolumeName",
		Does{}},

	{"math", "*", Does{}}, {"math/bits", "*", Does{}}, {"math/cmplx", "*", Does{}},
	{"math/big", "NewInt NewRat NewFloat", Does{}},
	{"math/big", "Int.* Rat.* Float.*", Does{Writes: first}},
	{"math/big", "Int.Bit Int.BitLen Int.Bits Int.Bytes Int.Cmp Int.CmpAbs Int.Int64 Int.IsInt64 Int.IsUint64 Int.Sign Int.String Int.Text " +
		"Int.TrailingZeroBits Int.Uint64 Rat.Cmp Rat.Denom Rat.Num Rat.Sign Rat.String Float.Cmp Float.Float64 Float.Sign Float.String Float.Text", Does{}},
	{"math/big", "Int.DivMod Int.QuoRem", Does{Writes: first | 1<<3}},
	{"math/rand", "Rand.*", Does{Writes: first}}, {"math/rand/v2", "Rand.*", Does{Writes: first}},
	{"math/rand", "Rand.Read", Does{Writes: first | second}},
	{"math/rand", "Rand.Shuffle", Does{Writes: first}},
	{"math/rand", "ExpFloat64 Float32 Float64 Int Int31 Int31n Int63 Int63n Intn NormFloat64 Perm Shuffle Uint32 Uint64",
		Does{}},
	{"math/rand/v2", "ExpFloat64 Float32 Float64 Int Int32 Int32N Int64 Int64N IntN N NormFloat64 Perm Shuffle Uint Uint32 Uint32N Uint64 Uint64N UintN", Does{}},
	{"crypto/rand", "Read", Does{Writes: first}}, {"crypto/rand", "Int Prime Text", Does{}},
	{"crypto/md5", "Sum", Does{}}, {"crypto/sha1", "Sum", Does{}}, {"crypto/sha256", "Sum224 Sum256", Does{}},
	{"crypto/sha512", "Sum384 Sum512", Does{}},
	{"hash/crc32", "ChecksumIEEE Checksum Update", Does{}},

	{"slices", "*", Does{Row: Mix}},
	{"slices", "Sort SortFunc SortStableFunc Reverse Insert Delete DeleteFunc Replace Compact CompactFunc",
		Does{Writes: first, Row: Mix}},
	{"slices", "AppendSeq", Does{Writes: first, Appends: true, Row: Mix}},
	{"slices", "All Backward Values", Does{Row: Vals}},
	{"maps", "*", Does{Row: Mix}},
	{"maps", "Copy DeleteFunc Insert", Does{Writes: first, Row: Mix}},
	{"maps", "Keys", Does{Row: Keys}}, {"maps", "All Values", Does{Row: Vals}},
	{"sort", "Ints Strings Float64s", Does{Writes: first}},
	{"sort", "Slice SliceStable", Does{Writes: first, Row: Mix}},
	{"sort", "Search", Does{Row: Mix}},
	{"sort", "SearchInts SearchStrings SearchFloat64s SliceIsSorted IntsAreSorted StringsAreSorted Float64sAreSorted Find",
		Does{}},
	{"sort", "Sort Stable", Does{Writes: first, Asks: sorting, Row: Mix}}, {"sort", "IsSorted", Does{Asks: sorting}},
	{"container/heap", "Init Fix", Does{Writes: first, Asks: heaping, Opaque: true}},
	{"container/heap", "Push Pop Remove", Does{Writes: first | second, Asks: heaping, Opaque: true}},
	{"container/list", "New", Does{Opaque: true}},
	{"container/list", "List.* Element.*", Does{Writes: first | second | third, Opaque: true}},
	{"container/list", "List.Len List.Front List.Back Element.Next Element.Prev", Does{Opaque: true}},
	{"container/ring", "New", Does{Opaque: true}},
	{"container/ring", "Ring.*", Does{Writes: first | second, Opaque: true}},
	{"container/ring", "Ring.Len Ring.Next Ring.Prev Ring.Move", Does{Opaque: true}},

	{"encoding/json", "Marshal MarshalIndent", Does{Asks: encoding}}, {"encoding/json", "Valid", Does{}},
	{"encoding/json", "Unmarshal", Does{Writes: second, Asks: decoding, Opaque: true}},
	{"encoding/json", "Compact HTMLEscape Indent", Does{Writes: first}},
	{"encoding/json", "NewEncoder", Does{}},
	{"encoding/json", "Encoder.SetIndent Encoder.SetEscapeHTML", Does{Writes: first}},
	{"encoding/xml", "Marshal MarshalIndent", Does{Asks: []string{"MarshalText", "MarshalXML", "MarshalXMLAttr"}}},
	{"encoding/xml", "Unmarshal", Does{Writes: second, Asks: []string{"UnmarshalText", "UnmarshalXML", "UnmarshalXMLAttr"},
		Opaque: true}},
	{"encoding/hex", "EncodeToString DecodeString EncodedLen DecodedLen Dump", Does{}},
	{"encoding/hex", "Encode Decode", Does{Writes: first}},
	{"encoding/base64", "Encoding.EncodeToString Encoding.DecodeString Encoding.EncodedLen Encoding.DecodedLen", Does{}},
	{"encoding/base64", "Encoding.Encode Encoding.Decode", Does{Writes: second}},
	{"encoding/binary", "PutUvarint PutVarint", Does{Writes: first}}, {"encoding/binary", "Uvarint Varint Size", Does{}},
	{"encoding/binary", "littleEndian.Uint16 littleEndian.Uint32 littleEndian.Uint64 bigEndian.Uint16 bigEndian.Uint32 bigEndian.Uint64", Does{}},
	{"encoding/binary", "littleEndian.PutUint16 littleEndian.PutUint32 littleEndian.PutUint64 bigEndian.PutUint16 bigEndian.PutUint32 bigEndian.PutUint64", Does{Writes: second}},

	{"net/http", "StatusText CanonicalHeaderKey DetectContentType Header.Get Header.Values Header.Clone", Does{}},
	{"net/http", "Header.Set Header.Add Header.Del", Does{Writes: first}},
	{"net/url", "Parse ParseQuery QueryEscape QueryUnescape PathEscape PathUnescape JoinPath URL.String URL.Query URL.Hostname URL.Port Values.Get Values.Has Values.Encode", Does{}},
	{"net/url", "Values.Set Values.Add Values.Del", Does{Writes: first}},
	{"net", "JoinHostPort SplitHostPort ParseIP IP.String IP.Equal", Does{}},

	{"context", "Background TODO Cause", Does{}}, {"context", "Context.Deadline Context.Err", Does{}},
	{"os", "Getenv LookupEnv ReadFile ReadDir Remove RemoveAll Rename Mkdir MkdirAll Stat", Does{}},
	{"os", "WriteFile", Does{}},

	{"time", "Date Parse ParseDuration ParseInLocation Unix UnixMicro UnixMilli FixedZone Duration.* Month.* Weekday.* Time.* Location.*", Does{}},
	{"time", "Time.UnmarshalJSON Time.UnmarshalText Time.UnmarshalBinary Time.GobDecode", Does{Writes: first}},
	{"time", "Time.AppendFormat Time.AppendText Time.AppendBinary", Does{Writes: second, Appends: true}},
	{"time", "Now Since Until", Does{}},

	{"sync/atomic", "*", Does{Writes: first}},
	{"sync/atomic", "LoadInt32 LoadInt64 LoadPointer LoadUint32 LoadUint64 LoadUintptr Int32.Load Int64.Load Uint32.Load Uint64.Load Uintptr.Load Bool.Load", Does{}},
	{"sync/atomic", "Int32.* Int64.* Uint32.* Uint64.* Uintptr.* Bool.* Pointer.* Value.*", Does{Writes: first}},
	{"sync/atomic", "Pointer.Load Value.Load", Does{Row: Load}},

	// Loggers. What is written, and where, no actor can tell.
	{"log", "Print Printf Println Output Default Prefix Flags", Does{Asks: printing}},
	{"log", "Logger.Print Logger.Printf Logger.Println Logger.Output Logger.Prefix Logger.Flags", Does{Asks: printing}},
	{"log/slog", "Debug DebugContext Error ErrorContext Info InfoContext Log LogAttrs Warn WarnContext With Default",
		Does{Asks: logging}},
	{"log/slog", "Any Bool Duration Float64 Group GroupAttrs Int Int64 String Time Uint64 Logger.* Attr.* Level.*",
		Does{Asks: logging}},
	{"log/slog", "AnyValue BoolValue DurationValue Float64Value GroupValue Int64Value IntValue StringValue TimeValue Uint64Value Value.*", Does{Asks: logging}},
	{"log/slog", "Level.UnmarshalJSON Level.UnmarshalText", Does{Writes: first}},
	{"github.com/tochemey/goakt/v4/log", "Logger.Debug Logger.Debugf Logger.DebugContext Logger.DebugfContext " +
		"Logger.Info Logger.Infof Logger.InfoContext Logger.InfofContext " +
		"Logger.Warn Logger.Warnf Logger.WarnContext Logger.WarnfContext " +
		"Logger.Error Logger.Errorf Logger.ErrorContext Logger.ErrorfContext", Does{Asks: printing}},
	{"github.com/tochemey/goakt/v4/actor", "Path.String Path.Name Path.Equals", Does{}},
	{"go.uber.org/zap", "L S Any Array Binary Bool Boolp Bools ByteString ByteStrings Complex64 Complex128 Dict Duration Durationp Durations Error Errors Float32 Float64 " +
		"Float32s Float64s Inline Int Int16 Int16s Int32 Int32s Int64 Int64s Int8 Int8s Intp Ints Namespace NamedError Object Objects Reflect Skip Stack StackSkip " +
		"String Stringer Stringers Stringp Strings Time Timep Times Uint Uint16 Uint16s Uint32 Uint32s Uint64 Uint64s Uint8 Uint8s Uintp Uints", Does{Asks: zapping}},
	{"go.uber.org/zap", "Logger.Debug Logger.Info Logger.Warn Logger.Error Logger.Log Logger.With Logger.WithLazy Logger.WithOptions Logger.Named Logger.Name " +
		"Logger.Sugar Logger.Level Logger.Check Logger.Sync", Does{Asks: zapping}},
	{"go.uber.org/zap", "SugaredLogger.Debug SugaredLogger.Debugf SugaredLogger.Debugln SugaredLogger.Debugw SugaredLogger.Info SugaredLogger.Infof SugaredLogger.Infoln " +
		"SugaredLogger.Infow SugaredLogger.Warn SugaredLogger.Warnf SugaredLogger.Warnln SugaredLogger.Warnw SugaredLogger.Error SugaredLogger.Errorf " +
		"SugaredLogger.Errorln SugaredLogger.Errorw SugaredLogger.With SugaredLogger.WithLazy SugaredLogger.Named SugaredLogger.Desugar SugaredLogger.Level SugaredLogger.Sync", Does{Asks: zapping}},
	{"go.uber.org/zap/zapcore", "CheckedEntry.Write", Does{Writes: first, Asks: zapping}},
	{"github.com/rs/zerolog", "Logger.Debug Logger.Err Logger.Error Logger.GetLevel Logger.Info Logger.Level Logger.Log Logger.Print Logger.Printf Logger.Println Logger.Trace Logger.Warn " +
		"Logger.With Logger.WithLevel Context.* Arr Dict Ctx Nop", Does{Asks: zeroing}},
	{"github.com/rs/zerolog", "Event.* Array.*", Does{Asks: zeroing}},
	{"github.com/rs/zerolog/log", "Ctx Debug Err Error Info Log Print Printf Trace Warn With WithLevel",
		Does{Asks: zeroing}},
	{"github.com/sirupsen/logrus",
		"Debug Debugf Debugln Error Errorf Errorln Info Infof Infoln Print Printf Println Trace Tracef Traceln Warn Warnf Warnln Warning Warningf Warningln " +
			"WithError WithField WithFields", Does{Asks: logging}},
	{"github.com/sirupsen/logrus",
		"Logger.Debug Logger.Debugf Logger.Debugln Logger.Error Logger.Errorf Logger.Errorln Logger.Info Logger.Infof Logger.Infoln Logger.Print Logger.Printf Logger.Println " +
			"Logger.Trace Logger.Tracef Logger.Warn Logger.Warnf Logger.Warnln Logger.Warning Logger.Warningf Logger.WithError Logger.WithField Logger.WithFields", Does{Asks: logging}},
	{"github.com/sirupsen/logrus",
		"Entry.Debug Entry.Debugf Entry.Debugln Entry.Error Entry.Errorf Entry.Errorln Entry.Info Entry.Infof Entry.Infoln Entry.Print Entry.Printf Entry.Println " +
			"Entry.Trace Entry.Tracef Entry.Warn Entry.Warnf Entry.Warnln Entry.Warning Entry.Warningf Entry.WithError Entry.WithField Entry.WithFields", Does{Asks: logging}},

	// Identifiers that are as good as any other: who draws first makes no difference.
	{"github.com/google/uuid", "New NewString NewRandom NewV6 NewV7 NewUUID Must MustParse Parse ParseBytes FromBytes Validate NewMD5 NewSHA1 IsInvalidLengthError", Does{}},
	{"github.com/google/uuid", "UUID.* NullUUID.*", Does{}},
	{"github.com/google/uuid", "UUID.Scan UUID.UnmarshalBinary UUID.UnmarshalText NullUUID.Scan NullUUID.UnmarshalBinary NullUUID.UnmarshalJSON NullUUID.UnmarshalText", Does{Writes: first}},
	{"github.com/lithammer/shortuuid/v4", "New NewWithAlphabet NewWithEncoder NewWithNamespace", Does{}},

	// Messages of protocol buffers, beside what is generated for them.
	{"google.golang.org/protobuf/proto",
		"Bool Clone Equal Float32 Float64 GetExtension HasExtension Int32 Int64 Marshal MessageName Size String Uint32 Uint64", Does{}},
	{"google.golang.org/protobuf/proto", "Unmarshal", Does{Writes: second, Opaque: true}},
	{"google.golang.org/protobuf/proto", "Merge Reset SetExtension ClearExtension", Does{Writes: first, Opaque: true}},
	{"google.golang.org/protobuf/proto", "MarshalOptions.Marshal MarshalOptions.Size", Does{}},
	{"google.golang.org/protobuf/proto", "UnmarshalOptions.Unmarshal", Does{Writes: third, Opaque: true}},
	{"google.golang.org/protobuf/encoding/protojson", "Marshal Format MarshalOptions.Marshal MarshalOptions.Format",
		Does{}},
	{"google.golang.org/protobuf/encoding/protojson", "Unmarshal", Does{Writes: second, Opaque: true}},
	{"google.golang.org/protobuf/encoding/protojson", "UnmarshalOptions.Unmarshal", Does{Writes: third, Opaque: true}},
	{"google.golang.org/protobuf/reflect/protoreflect",
		"Message.Descriptor Message.Get Message.GetUnknown Message.Has Message.Interface Message.IsValid Message.Range Message.Type " +
			"Message.WhichOneof", Does{}},
	{"google.golang.org/protobuf/reflect/protoreflect", "Message.Clear Message.Mutable Message.Set Message.SetUnknown",
		Does{Writes: first}},
	{"google.golang.org/protobuf/types/known/timestamppb", "Now", Does{}},
	{"google.golang.org/protobuf/types/known/timestamppb", "New Timestamp.AsTime Timestamp.IsValid Timestamp.CheckValid",
		Does{}},
	{"google.golang.org/protobuf/types/known/durationpb", "New Duration.AsDuration Duration.IsValid Duration.CheckValid",
		Does{}},
	{"google.golang.org/protobuf/types/known/wrapperspb", "Bool Bytes Double Float Int32 Int64 String UInt32 UInt64",
		Does{}},
	{"google.golang.org/protobuf/types/known/anypb", "New Any.MessageIs Any.MessageName Any.UnmarshalNew", Does{}},
	{"google.golang.org/protobuf/types/known/anypb", "UnmarshalTo Any.UnmarshalTo Any.MarshalFrom",
		Does{Writes: first | second, Opaque: true}},
	{"github.com/twmb/murmur3", "Sum32 Sum64 Sum128 SeedSum32 SeedSum64 SeedSum128 StringSum32 StringSum64 StringSum128 SeedStringSum32 SeedStringSum64 SeedStringSum128", Does{}},
	{"golang.org/x/net/context", "Background TODO", Does{}},
	{"github.com/serialx/hashring",
		"New NewWithHash NewWithWeights NewWithHashAndWeights HashRing.AddNode HashRing.AddWeightedNode HashRing.RemoveNode HashRing.UpdateWeightedNode " +
			"HashRing.GetNode HashRing.GetNodePos HashRing.GetNodes HashRing.Size", Does{}},
	{"google.golang.org/grpc/status", "Code Convert Error Errorf FromError New Newf", Does{Asks: printing}},
}

// constants are package variables of libraries that nobody replaces, or whose replacement no actor notices.
var constants = map[string]bool{
	"encoding/base64.StdEncoding": true, "encoding/base64.URLEncoding": true, "encoding/base64.RawStdEncoding": true, "encoding/base64.RawURLEncoding": true,
	"encoding/binary.BigEndian": true, "encoding/binary.LittleEndian": true, "os.Stderr": true, "os.Stdout": true,
	"time.Local": true, "time.UTC": true, "github.com/google/uuid.Nil": true,
	"github.com/rs/zerolog/log.Logger": true,
}

// Unchanging reports whether a package variable of a library stays what it is.
func Unchanging(v types.Object) bool {
	return v != nil && v.Pkg() != nil && constants[v.Pkg().Path()+"."+v.Name()]
}

// byName is the table by path and name.
var byName = func() map[string]*Does {
	all := map[string]*Does{}
	for i := range libraries {
		l := &libraries[i]
		if l.Row == Unknown && !l.Opaque {
			l.Row = Pure
		}
		for name := range strings.FieldsSeq(l.names) {
			key := l.path + "." + name
			if all[key] != nil {
				panic("model: two rows for " + key)
			}
			all[key] = &l.Does
		}
	}
	return all
}()

// Library tells what a function of a library does, and whether that is known.
func Library(fn *types.Func) (Does, bool) {
	if fn == nil || fn.Pkg() == nil {
		return Does{}, false
	}
	fn = fn.Origin()
	if d, ok := generated(fn); ok {
		return d, true
	}
	if isGetter(fn) {
		return Does{Opaque: true}, true
	}
	prefix := fn.Pkg().Path() + "."
	if recv := fn.Signature().Recv(); recv != nil {
		n := receiver(recv.Type())
		if n == nil {
			return Does{}, false
		}
		prefix += n.Obj().Name() + "."
	}
	for _, key := range []string{prefix + fn.Name(), prefix + "*"} {
		if d := byName[key]; d != nil {
			return *d, true
		}
	}
	return Does{}, false
}

// receiver is the named type that a method is of.
func receiver(t types.Type) *types.Named {
	if p, ok := types.Unalias(t).(*types.Pointer); ok {
		t = p.Elem()
	}
	n, _ := types.Unalias(t).(*types.Named)
	return n
}

// generated tells what the methods do that are generated for messages of protocol buffers: they only read, but for
// Reset. Caches that they fill nobody can tell from what is not filled.
func generated(fn *types.Func) (Does, bool) {
	sig := fn.Signature()
	if sig.Recv() == nil || types.IsInterface(sig.Recv().Type()) {
		return Does{}, false
	}
	n := receiver(sig.Recv().Type())
	if n == nil || !reflects(n) {
		return Does{}, false
	}
	switch name := fn.Name(); {
	case name == "Reset":
		return Does{Writes: first, Row: Pure}, true
	case name == "ProtoReflect", name == "String", name == "ProtoMessage", name == "Descriptor":
		return Does{Row: Pure}, true
	}
	return Does{}, false
}

// isGetter reports whether a method is the generated one of a field. Where its source was read, that says more.
func isGetter(fn *types.Func) bool {
	sig := fn.Signature()
	if sig.Recv() == nil || !strings.HasPrefix(fn.Name(), "Get") || sig.Params().Len() != 0 || sig.Results().Len() != 1 {
		return false
	}
	n := receiver(sig.Recv().Type())
	return n != nil && !types.IsInterface(n) && reflects(n)
}

// Generated reports whether a method is generated in a way that nothing but its row needs to be looked at, whatever its
// source says. The source deals with memory that the program does not see.
func Generated(fn *types.Func) bool {
	if fn == nil {
		return false
	}
	_, ok := generated(fn)
	return ok
}

// reflects reports whether pointers to a type are messages of protocol buffers.
func reflects(n *types.Named) bool {
	for m := range n.Methods() {
		if m.Name() == "ProtoReflect" && m.Signature().Params().Len() == 0 && m.Signature().Results().Len() == 1 {
			r := receiver(m.Signature().Results().At(0).Type())
			return r != nil && r.Obj().Pkg() != nil && r.Obj().Pkg().Path() == "google.golang.org/protobuf/reflect/protoreflect"
		}
	}
	return false
}
