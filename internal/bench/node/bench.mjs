// Runs on Effect what the benchmarks of package core run on agentkit, and prints
// one JSON object: nanoseconds a step, by the name of the work, of the median of
// some rounds. The first argument is how long one round takes, in milliseconds.
import { Deferred, Effect, Fiber, Queue, Schedule, Semaphore } from 'effect'
import { readFileSync } from 'node:fs'

const round = Number(process.argv[2] ?? 100)
const rounds = Number(process.argv[3] ?? 7)

const links = 1000, repeats = 100, items = 10_000

function chain(step) {
  let e = Effect.succeed(0)
  for (let i = 0; i < links; i++) e = step(e)
  return e
}

const times = (n, e) => Effect.gen(function* () {
  let last
  for (let i = 0; i < n; i++) last = yield* e
  return last
})

const list = Array.from({ length: items }, () => 0)
const forEach = concurrency => Effect.map(Effect.forEach(list, i => Effect.succeed(i + 1), { concurrency }), r => r.length)

const resource = Effect.acquireRelease(Effect.succeed(1), () => Effect.void)

const pingPong = Effect.gen(function* () {
  const turns = []
  for (let i = 0; i < repeats; i++) turns.push({ ping: Deferred.makeUnsafe(), pong: Deferred.makeUnsafe() })
  const other = yield* Effect.forkChild(Effect.gen(function* () {
    for (const t of turns) yield* Deferred.succeed(t.pong, yield* Deferred.await(t.ping))
  }))
  let last
  for (const t of turns) {
    yield* Deferred.succeed(t.ping, 1)
    last = yield* Deferred.await(t.pong)
  }
  yield* Fiber.join(other)
  return last
})

const semaphore = Effect.gen(function* () {
  const s = yield* Semaphore.make(1)
  return yield* times(repeats, s.withPermits(1)(Effect.succeed(1)))
})

const queue = Effect.gen(function* () {
  const q = yield* Queue.bounded(16)
  const taker = yield* Effect.forkChild(times(links, Queue.take(q)))
  for (let i = 0; i < links; i++) yield* Queue.offer(q, i)
  yield* Fiber.join(taker)
  return links
})

const retry = Effect.suspend(() => {
  let left = links
  return Effect.suspend(() => left-- > 0 ? Effect.fail('again') : Effect.succeed(1)).pipe(Effect.retry(Schedule.recurs(links)))
})

// name: [effect, steps, expected]
const works = {
  'map': [chain(e => Effect.map(e, i => i + 1)), links, links],
  'flatMap': [chain(e => Effect.flatMap(e, i => Effect.succeed(i + 1))), links, links],
  'await': [Effect.gen(function* () {
    let total = 0
    const one = Effect.sync(() => 1)
    for (let i = 0; i < links; i++) total += yield* one
    return total
  }), links, links],
  'fork-join': [times(repeats, Effect.flatMap(Effect.forkChild(Effect.succeed(1)), Fiber.join)), repeats, 1],
  'forEach-1': [forEach(1), 1, items],
  'forEach-16': [forEach(16), 1, items],
  'forEach-unbounded': [forEach('unbounded'), 1, items],
  'resource': [Effect.scoped(times(links, resource)), links, 1],
  'race': [times(repeats, Effect.race(Effect.succeed(1), Effect.never)), repeats, 1],
  'timeout': [times(repeats, Effect.timeout(Effect.sync(() => 1), '1 hour')), repeats, 1],
  'ping-pong': [pingPong, repeats, 1],
  'semaphore': [semaphore, repeats, 1],
  'queue': [queue, links, links],
  'retry': [retry, links, 1],
}

async function measure([effect, steps, expected]) {
  const once = async () => {
    const got = await Effect.runPromise(effect)
    if (got !== expected) throw new Error(`got ${got}, want ${expected}`)
  }
  for (const until = performance.now() + round; performance.now() < until;) await once() // let the compiler warm up
  const samples = []
  for (let r = 0; r < rounds; r++) {
    let n = 0
    const began = performance.now()
    while (performance.now() - began < round) {
      await once()
      n++
    }
    samples.push((performance.now() - began) * 1e6 / n / steps)
  }
  samples.sort((a, b) => a - b)
  return samples[Math.floor(samples.length / 2)]
}

const result = {}
for (const [name, work] of Object.entries(works)) {
  try {
    result[name] = await measure(work)
  } catch (error) {
    throw new Error(`${name}: ${error.message}`, { cause: error })
  }
}
const version = JSON.parse(readFileSync(new URL('./node_modules/effect/package.json', import.meta.url))).version
console.log(JSON.stringify({ effect: version, node: process.version, nanos: result }))
