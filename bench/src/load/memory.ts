import { readFileSync } from 'node:fs'
import { questionBytes } from './connection.js'
import { closedLoop } from './open-loop.js'
import type { LoadedServer } from './server.js'

/** Ten minutes of 200 requests a second: what a busy server of this size gets. They are sent as fast as they are answered. */
const requests = 600 * 200
const looks = 6

/** Resident memory of a process in MB, where Linux tells it. */
export function residentMb(pid: number): number {
  if (process.platform !== 'linux') return Number.NaN
  const [, kb = 'NaN'] = /VmRSS:\s+(\d+)/.exec(readFileSync(`/proc/${pid}/status`, 'utf8')) ?? []
  return Number(kb) / 1024
}

/** Resident memory after each part of the requests. The first part fills caches and heap. */
export async function measureMemory({ port, path, question, key, pid }: LoadedServer): Promise<readonly string[][]> {
  const request = questionBytes(path, question, key)
  const rows: string[][] = [
    ['requests', 'RSS'],
    ['0', residentMb(pid).toFixed(0)],
  ]
  for (let look = 1; look <= looks; look++) {
    await closedLoop(port, 32, requests / looks, request)
    rows.push([String((requests / looks) * look), residentMb(pid).toFixed(0)])
  }
  return rows
}
