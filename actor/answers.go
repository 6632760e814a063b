package actor

// Answered is explore.Answerer.Answered: the replies to Ask.
func (m *machine) Answered(asker int32, f func(request, by int32, answer any)) {
	for i := range m.calls {
		k := &m.calls[i]
		if k.asker != asker || k.future == nil || !k.future.ready || k.callee < 0 || k.answer >= 0 {
			continue
		}
		for r := range m.tr.Messages {
			if m.tr.Messages[r].ID == k.object {
				f(int32(r), k.callee, k.future.value)
				break
			}
		}
	}
}
