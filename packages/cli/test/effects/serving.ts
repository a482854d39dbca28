import { once } from 'node:events'
import { join } from 'node:path'
import { withNewDataKey } from '@freehold/frame/credentials'
import { expect } from 'vitest'
import { folder, freehold } from '../recorded-shell.ts'
import type { EffectsOf } from './effect.ts'
import { narrow, served } from './served.ts'

const ticket = { subject: { type: 'user', id: 'nobody' }, action: { name: 'closeTicket' }, resource: { type: 'Ticket', id: 't-1' } }

export const serving: EffectsOf<'Serving'> = {
  designs: async () => {
    const { designs, told } = await narrow()
    expect(told.designs).toEqual(designs)
  },
  port: async () => {
    const { address, port } = await narrow()
    expect(new URL(address).port).toBe(String(port))
  },
  host: async () => {
    const { address, host } = await narrow()
    expect(new URL(address).hostname).toBe(host)
  },
  workers: async () => {
    const { lines } = await served({ workers: 2 })
    const listening = () => lines().filter(({ source, message }) => source === 'workers' && String(message).includes(' listens at '))
    await expect.poll(listening).toHaveLength(2)
  },
  trustedProxies: async () => {
    const { call, lines } = await narrow()
    await call('GET', '/v1', undefined, { 'X-Forwarded-For': '192.0.2.7' })
    await expect.poll(lines).toContainEqual(expect.objectContaining({ route: '/v1', address: '192.0.2.7' }))
  },
  issuers: async () => {
    const env = { DYNAMODB_ENDPOINT: 'http://127.0.0.1:1', FREEHOLD_ISSUERS: 'issuers.json' }
    const { exit, err } = await freehold(['serve', '--port', '0'], { env })
    expect({ exit, err }).toEqual({ exit: 2, err: expect.stringContaining('issuers.json does not exist') })
  },
  publicUrl: async () => {
    const { call, publicUrl } = await narrow()
    const metadata = await call('GET', '/.well-known/authzen-configuration/authzen/rebac')
    expect(await metadata.json()).toMatchObject({ policy_decision_point: `${publicUrl}/authzen/rebac` })
  },
  dataKeys: async () => {
    const cwd = folder({ 'keys.json': await withNewDataKey(undefined, new Date()) })
    const settings = { designs: ['account-management'], dataKeys: join(cwd, 'keys.json'), publicUrl: 'https://accounts.example' }
    const { call } = await served(settings)
    expect(await (await call('GET', '/sign-in')).text()).toContain('<h1>Sign in</h1>')
  },
  authzenTenant: async () => {
    const { call } = await narrow()
    const answer = await call('POST', '/authzen/authorization/access/v1/evaluation', ticket)
    const text = await answer.text()
    expect([answer.status, text]).toEqual([200, expect.not.stringContaining('NoTenant')])
  },
  logLevel: async () => {
    const { call, process, ended, written } = await served({ logLevel: 'silent' })
    expect((await call('GET', '/v1')).status).toBe(200)
    process.kill('SIGINT')
    await ended
    expect(written.err).toBe('')
  },
  definitionAgeMs: async () => {
    const { call } = await narrow()
    const ask = async () => (await call('POST', '/v1/rebac/can', { user: 'ada@example.org', location: 'NYC001', page: 'lessons' })).text()
    expect(await ask()).toBe('{"allowed":true}')
    // Another process takes the permission away.
    const revoked = ['do', 'rebac', 'removePermission', JSON.stringify({ roleName: 'teacher', pageName: 'lessons' })]
    expect(await freehold(revoked)).toMatchObject({ exit: 0 })
    expect(await ask()).toContain('"allowed":false')
  },
  graceMs: async () => {
    const { process, ended, socket } = await served({ graceMs: 50 })
    // Its body does not end, so that it is under way when the server ends.
    const slow = await socket()
    slow.write('POST /v1/rebac/can HTTP/1.1\r\nHost: a\r\nContent-Type: application/json\r\nContent-Length: 9\r\n\r\n{')
    process.kill('SIGINT')
    // With the grace of ten seconds this would be longer than the test.
    await Promise.all([ended, once(slow.resume(), 'close')])
  },
}
