import type { CurrentSession, ShownSession } from '@freehold/frame/credentials'
import { type Field, form, type Html, html } from './page.ts'

const words = ({ start, user_agent = 'unknown browser', ip_address = 'unknown address' }: ShownSession) =>
  `since ${start.slice(0, 16).replace('T', ' ')} UTC, ${user_agent.slice(0, 200)}, ${ip_address}`

const choice = (value: string, label: string) => html`
<label><input type="radio" name="session" value="${value}" required> ${label}</label>`

/** The sessions of a person, and the form that ends others than this one. */
export function sessionsOf({ name }: CurrentSession, sessions: readonly ShownSession[], fields: readonly Field[]): readonly Html[] {
  const here = sessions.find(({ id }) => id === name.id)
  const others = sessions.filter((each) => each !== here)
  const own = html`
<p>This session: ${here === undefined ? 'it has ended' : words(here)}.</p>`
  const choices = html`
<fieldset><legend>End</legend>${others.map((each) => choice(each.id, words(each)))}${choice('others', 'All but this session')}</fieldset>`
  return others.length === 0 ? [own] : [own, form(fields, 'End', { choices })]
}
