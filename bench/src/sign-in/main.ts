import { accountManagementModule } from '@freehold/designs/account-management'
import { openDataKeys, passwordHashing, signInOf, withNewDataKey } from '@freehold/frame/credentials'
import { serviceDesign, throttleOn } from '@freehold/service'
import { connect, meter } from '@freehold/table'
import { ensureTable } from '@freehold/table/runtime'
import { startBenchEngine } from '../engine.js'

// What a sign-in costs: hashes, round trips and units, counted; and the time of a hash here.

const engine = await startBenchEngine()
const { endpoint } = engine
const table = connect(accountManagementModule.design, {
  ...{ table: 'bench_sign_in', dynamo: { endpoint } },
  jobHandlers: accountManagementModule.flows.jobHandlers,
})
const counts = connect(serviceDesign, { table: 'bench_sign_in_service', dynamo: { endpoint } })
await ensureTable(table.runtime)
await ensureTable(counts.runtime)

let hashes = 0
let hash_ms = 0
const counted = async <T>(work: () => Promise<T>): Promise<T> => {
  const start_ms = performance.now()
  const result = await work()
  hashes++
  hash_ms += performance.now() - start_ms
  return result
}
const signIn = signInOf({
  store: accountManagementModule.credentials(table),
  keys: await openDataKeys(await withNewDataKey(undefined, new Date())),
  throttle: throttleOn(counts),
  now: () => new Date(),
  product: 'Bench',
  sendLink: () => undefined,
  hashing: {
    ...passwordHashing,
    hash: (password) => counted(() => passwordHashing.hash(password)),
    verify: (password, stored) => counted(() => passwordHashing.verify(password, stored)),
  },
})
const operator = accountManagementModule.flows.of(table, { actor: { kind: 'operator' } })
const { id: client_id } = await operator.createClient({ name: 'Bench' })
const [address, password] = ['ada@bench.example', 'seven green tables in a row']
const { id } = await operator.inviteUser({ client_id, email: address, user_type: 'client_admin' })
await operator.acceptInvitation({ id, password_hash: await passwordHashing.hash(password) })

const ask = { ip_address: '192.0.2.1' }
const begun = await signIn.password({ address, password }, ask)
if (!('session' in begun)) throw new Error('Nobody was signed in.')
const works = {
  'the first attempt of an address, right': () => signIn.password({ address, password }, { ip_address: '192.0.2.2' }),
  'from a known device, right': () => signIn.password({ address, password }, { ...ask, device: begun.device }),
  'a wrong password': () => signIn.password({ address, password: 'wrong' }, ask),
  'an address of nobody': () => signIn.password({ address: 'eve@bench.example', password: 'wrong' }, ask),
  'a link is asked for': () => signIn.forgotten(address, ask),
  'a request in a session': () => signIn.session(begun.session),
}
console.log(`${'sign-in'.padEnd(40)}${['hashes', 'round trips', 'read units', 'write units'].map((each) => each.padStart(13)).join('')}`)
for (const [name, work] of Object.entries(works)) {
  const before = hashes
  const { cost } = await meter<unknown>(work)
  const told = [hashes - before, cost.roundTrips, cost.readUnits, cost.writeUnits]
  console.log(`${name.padEnd(40)}${told.map((each) => String(each).padStart(13)).join('')}`)
}
console.log(`\nA hash took ${Math.round(hash_ms / hashes)} ms here, off the event loop.`)
table.close()
counts.close()
await engine.stop()
