import type { CurrentSession, ShownSession } from '@freehold/frame/credentials'
import { type Field, form, type Html, html } from './page.ts'

/** A browser names itself as it likes: its text keeps its direction to itself. */
const words = ({ start, user_agent = 'Unknown browser', ip_address = 'an unknown address' }: ShownSession) => html`
<span><bdi>${user_agent.slice(0, 200)}</bdi> <small>since ${start.slice(0, 16).replace('T', ' ')} UTC, from ${ip_address}</small></span>`

/** The first one has the focus: it stands before the password. */
const choice = (value: string, label: Html | string, isFirst = false) => html`
<label class="choice"><input type="radio" name="session" value="${value}" required${isFirst ? html` autofocus` : undefined}> ${label}</label>`

/** The sessions of a person, and the form that ends others than this one. */
export function sessionsOf({ name }: CurrentSession, sessions: readonly ShownSession[], fields: readonly Field[]): readonly Html[] {
  const here = sessions.find(({ id }) => id === name.id)
  const others = sessions.filter((each) => each !== here)
  const own = html`
<h2>This session</h2>
<p>${here === undefined ? 'It has ended.' : words(here)}</p>`
  if (others.length === 0) return [own, html`<p>You are signed in nowhere else.</p>`]
  const choices = html`
<fieldset><legend>Other sessions</legend>${others.map((each, index) => choice(each.id, words(each), index === 0))}${choice('others', 'All of these')}</fieldset>`
  return [own, form(fields, 'End', { choices, isFirst: false })]
}
