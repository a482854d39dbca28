import type { NotSignedIn, SignIn } from '@freehold/frame/credentials'
import { type Field, type Html, html } from './page.ts'

// The fields of the pages, and what they say.

export const address: Field = { name: 'address', label: 'E-mail address', type: 'email', fills: 'username' }
export const password: Field = { name: 'password', label: 'Password', fills: 'current-password' }
export const nextOf = ({ passwordLength }: Pick<SignIn, 'passwordLength'>): Field => ({
  ...{ name: 'next', label: 'New password', fills: 'new-password' },
  hint: `At least ${passwordLength.alone} characters, or ${passwordLength.withFactor} with a second factor. Several words are easy to remember.`,
})
export const oneTime = { type: 'text', fills: 'one-time-code' } as const
export const code: Field = { ...oneTime, name: 'code', label: 'Code', hint: 'Six digits of your authenticator, or a recovery code.' }
export const link = (to: string, text: string): Html => html`
<p><a href="${to}">${text}</a></p>`

export const sentence: Readonly<Record<'wrong' | 'link' | 'changed', string>> = {
  wrong: 'That is not right, or you may not sign in. Check what you typed.',
  link: 'This link is not good any more: each is good once, and for a short time. Ask for another one.',
  changed: 'That took too long, or something changed meanwhile. Begin again.',
}

/** Why not, for the person. */
export function saidOf(no: NotSignedIn): string {
  if (no.no === 'rule') return no.words
  if (no.no !== 'wait') return sentence[no.no]
  const wait_s = Math.ceil(no.wait_ms / 1000)
  const wait = wait_s > 3_600 ? `${Math.ceil(wait_s / 3_600)} hours` : `${wait_s} ${wait_s === 1 ? 'second' : 'seconds'}`
  return `There were many attempts. Wait ${wait}, and try again.`
}
