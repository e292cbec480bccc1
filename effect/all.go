package effect

import "github.com/samber/mo"

// All runs the effects and has their values in order. It runs and fails as [ForEach] does (Effect's all of a list).
func All[A any](effects []Effect[A], options ...CollectOption) Effect[[]A] {
	return ForEach(effects, itself[A], options...)
}

// AllDiscard is [All] without the values (Effect's all with discard).
func AllDiscard[A any](effects []Effect[A], options ...CollectOption) Effect[Unit] {
	return ForEachDiscard(effects, itself[A], options...)
}

// AllResults is [All] that no failure stops: it has the value or failure of each effect, in order. Defects and interruptions
// do stop it (Effect's all in result mode, v3's either mode).
func AllResults[A any](effects []Effect[A], options ...CollectOption) Effect[[]mo.Result[A]] {
	return ForEach(effects, ResultOf[A], options...)
}

// AllMap is [All] for a map: it has the values under the keys of their effects. One after the other they run in the order in
// which Go ranges over the map, which is none (Effect's all of a record).
func AllMap[K comparable, A any](effects map[K]Effect[A], options ...CollectOption) Effect[map[K]A] {
	return Suspend(func() Effect[map[K]A] {
		keys := make([]K, 0, len(effects))
		for k := range effects {
			keys = append(keys, k)
		}
		return ForEach(keys, func(k K) Effect[A] { return effects[k] }, options...).Map(func(values []A) map[K]A {
			out := make(map[K]A, len(keys))
			for i, k := range keys {
				out[k] = values[i]
			}
			return out
		})
	})
}

func itself[A any](e Effect[A]) Effect[A] { return e }
