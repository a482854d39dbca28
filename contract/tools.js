import { execFile } from 'node:child_process'
import { existsSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { promisify } from 'node:util'

// The tools of other makers, and where they come from: npm, PyPI and the Go module proxy. What cannot be installed is left out.

export const here = fileURLToPath(new URL('.', import.meta.url))
const run = promisify(execFile)

/** Runs a program. @returns what it prints, whether it ends with 0 or not: linters end with 1 at what they find */
export async function ran(program, argv, more = {}) {
  const {
    stdout = '',
    stderr = '',
    code = 0,
  } = await run(program, argv, { cwd: here, maxBuffer: 256_000_000, ...more }).catch((failure) => failure)
  return { stdout: String(stdout), stderr: String(stderr), code }
}

/** Runs a program that has to succeed. */
async function done(program, argv, more) {
  const { stdout, stderr, code } = await ran(program, argv, more)
  if (code !== 0) throw new Error(`${program} ${argv.join(' ')}: ${stderr.slice(-2000)}${stdout.slice(-2000)}`)
  return stdout
}

export const npm = (name, ...argv) => ran(join(here, 'node_modules', '.bin', name), argv)

const venv = join(here, 'dist', 'venv', 'bin')
/** What tools leave behind lies in `dist`. */
export const ranPython = (name, ...argv) => ran(join(venv, name), argv, { cwd: join(here, 'dist') })
export const python = (name, ...argv) => done(join(venv, name), argv)
export const go = (...argv) => done('go', argv)

/** Installs the tools of Python. @returns why they are not there, or undefined */
export async function withoutPython() {
  if (!existsSync(join(venv, 'pip'))) {
    const { code } = await ran('python3', ['-m', 'venv', join(here, 'dist', 'venv')])
    if (code !== 0) return 'python3 has no venv'
  }
  const { code, stderr } = await ran(join(venv, 'pip'), [
    'install',
    '--quiet',
    '--retries',
    '1',
    '--timeout',
    '30',
    '--requirement',
    join(here, 'requirements.txt'),
  ])
  return code === 0 ? undefined : `pip installs nothing: ${stderr.trim().split('\n').at(-1)}`
}

/** @returns why the tools of Go are not there, or undefined */
export async function withoutGo() {
  const { code, stderr } = await ran('go', ['mod', 'download'])
  return code === 0 ? undefined : `go downloads nothing: ${stderr.trim().split('\n').at(-1)}`
}

/** openapi-generator runs on Java. @returns why it does not, or undefined */
export async function withoutJava() {
  const { code } = await ran('java', ['-version'])
  return code === 0 ? undefined : 'there is no java'
}
