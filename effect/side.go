package effect

// side is a fiber inside a region: on the goroutine of the region, or on another that the region waits for. It can be
// interrupted wherever it runs. What interrupts the region interrupts it too.
type side struct {
	fiber  fiber
	around around
	env    env
}

func (s *side) open(v *env) {
	s.fiber.open(v, &s.around)
	s.env = v.inside(&s.fiber)
	s.env.done, s.env.open = s.fiber.asContext(), s.fiber.asContext()
}

// open makes f a fiber inside region v.
func (f *fiber) open(v *env, a *around) {
	a.outer = v.done
	f.id, f.host, f.around = newID(), v.fiber, a
}

// inside is the region of a fiber inside region v, not yet interrupted by anything.
func (v *env) inside(f *fiber) env {
	return env{fiber: f, values: v.values, scope: v.scope, services: v.services, nested: v.nested, room: v.room}
}
