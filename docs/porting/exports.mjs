// Lists what Effect exports, for the tables of porting.md. In an empty folder:
//
//   npm install effect@4.1.0 effect-v3@npm:effect@3.22.4
//   node .../docs/porting/exports.mjs > .../docs/porting/exports.json
//
// Values are asked of the modules as they run; types, which do not exist then,
// are read from the declarations.
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { pathToFileURL } from 'node:url'

const modules = [
  'Effect', 'Scope', 'Exit', 'Cause', 'Fiber', 'Schedule', 'Layer', 'Context', 'Deferred', 'Semaphore', 'Latch', 'Queue',
  'PubSub', 'Ref', 'SynchronizedRef', 'SubscriptionRef', 'FiberMap', 'FiberSet', 'FiberHandle', 'Pool', 'RcRef', 'RcMap',
  'ScopedRef', 'Resource', 'ManagedRuntime',
]

// What version 3 kept elsewhere: there a semaphore and a latch were made by
// Effect, and these modules had no counterpart of the same name.
const olderModules = [...modules, 'Either', 'FiberRef', 'FiberRefs', 'Mailbox', 'Runtime', 'RuntimeFlags', 'ExecutionStrategy', 'STM', 'Reloadable']

const folder = name => join(process.cwd(), 'node_modules', name)

async function values(name, module) {
  try {
    const loaded = await import(pathToFileURL(join(folder(name), 'dist', name === 'effect' ? '' : 'esm', `${module}.js`)))
    return Object.keys(loaded).sort()
  } catch (error) {
    if (error.code === 'ERR_MODULE_NOT_FOUND') return []
    throw error
  }
}

function types(name, module) {
  const text = readFileSync(join(folder(name), 'dist', `${module}.d.ts`), 'utf8')
  const found = text.matchAll(/^export (?:declare )?(?:abstract )?(?:type|interface|namespace|class) (\w+)/gm)
  return new Set([...found].map(match => match[1]))
}

const version = name => JSON.parse(readFileSync(join(folder(name), 'package.json'), 'utf8')).version

const result = { version: version('effect'), modules: {}, older: { version: version('effect-v3'), modules: {} } }
for (const module of modules) {
  const own = await values('effect', module)
  result.modules[module] = {
    values: own,
    types: [...types('effect', module)].filter(name => !own.includes(name)).sort(),
  }
}
for (const module of olderModules) {
  const own = await values('effect-v3', module)
  if (own.length > 0) result.older.modules[module] = own
}

// One line a module, so that a new version is a readable change.
const lines = object => Object.entries(object).map(([key, value]) => `    ${JSON.stringify(key)}: ${JSON.stringify(value)}`).join(',\n')
console.log(`{
  "version": ${JSON.stringify(result.version)},
  "modules": {
${lines(result.modules)}
  },
  "older": {
    "version": ${JSON.stringify(result.older.version)},
    "modules": {
${lines(result.older.modules)}
    }
  }
}`)
