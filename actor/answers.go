package actor

// Answered is explore.Answerer.Answered: the replies to Ask.
func (x *host) Answered(asker int32, f func(request, by int32, answer any)) {
	for i := range x.m.calls.all {
		k := &x.m.calls.all[i]
		if k.asker != asker || k.future == nil || !k.future.ready || k.callee < 0 || k.answer >= 0 {
			continue
		}
		for r := range x.m.tr.Messages {
			if x.m.tr.Messages[r].ID == k.object {
				f(int32(r), k.callee, k.future.value)
				break
			}
		}
	}
}
