import * as parts from '@freehold/designs/decision'
import { pageOfValues } from '@freehold/designs/flow'
import { type Item, oneOf, type Runtime, text } from '@freehold/table'
import { Branch, BranchPost, Member, Post } from './design.ts'

type Sources = parts.Sources

/** The permissions that the role of a post gives its member at the branch, in the order of the names, in which a list goes on. */
const actionsOf = { clerk: ['lend', 'return'], librarian: ['catalogue', 'lend', 'return', 'staff'] } as const
export type Action = (typeof actionsOf)['librarian'][number]

const member = parts.field(text(), parts.nameOf(Member, 'id'))
const branch = parts.field(text(), parts.nameOf(Branch, 'id'))
const action = oneOf(...actionsOf.librarian)

type Pair = { readonly member: string; readonly branch: string }
type Did = { readonly action: Action }
type Asked = Pair & Did

/** A member, a branch and the post of one at the other. */
interface Found {
  readonly asked: Pair
  readonly member: parts.LoadResult<Item<typeof Member>>
  readonly branch: parts.LoadResult<Item<typeof Branch>>
  readonly post: parts.LoadResult<Item<typeof Post>>
  readonly actions: readonly Action[]
}

/** One round trip, however many pairs. A post allows nothing if it has ended, or its member is blocked, or one of the three is not live. */
async function findAll(sources: Sources, pairs: readonly Pair[]): Promise<readonly Found[]> {
  const today = sources.runtime.now().toISOString().slice(0, 10)
  const all = pairs.map((asked) => ({
    asked,
    member: parts.wanted(Member, { id: asked.member }),
    branch: parts.wanted(Branch, { id: asked.branch }),
    post: parts.wanted(Post, { member_id: asked.member, branch_id: asked.branch }),
  }))
  const loaded = await parts.loadRecords(
    sources,
    all.flatMap((at) => [at.member, at.branch, at.post]),
  )
  return all.map(({ asked, ...at }) => {
    const [member, branch, post] = [loaded(at.member), loaded(at.branch), loaded(at.post)]
    const isLive = member.state === 'found' && member.item.status === 'active' && branch.state === 'found' && post.state === 'found'
    const isOver = post.state === 'found' && post.item.until !== undefined && post.item.until < today
    return { asked, member, branch, post, actions: isLive && !isOver ? actionsOf[post.item.role] : [] }
  })
}

function reasonOf({ asked, member, branch, post }: Found): parts.Reason {
  const named = [
    { what: 'Member', name: asked.member, id: asked.member, result: member },
    { what: 'Branch', name: asked.branch, id: asked.branch, result: branch },
  ]
  const isMalformed = post.state === 'malformed' ? parts.malformedRecord : undefined
  return parts.unknownReason([], named) ?? isMalformed ?? parts.policy('NoPost', 'The member has no post here that allows this.')
}

async function can(sources: Sources, asked: Asked): Promise<parts.Can> {
  const { allowed, reason } = await why(sources, asked)
  return { allowed, ...(reason === undefined ? {} : { reason }) }
}

async function why(sources: Sources, asked: Asked): Promise<parts.Why> {
  const all = await findAll(sources, [asked])
  const allowing = all.filter(({ actions }) => actions.includes(asked.action))
  const verdict = allowing.length > 0 ? { allowed: true } : { allowed: false, ...all.map((found) => ({ reason: reasonOf(found) }))[0] }
  const evidenceOf = ({ post }: Found, state: 'found' | 'denies') => {
    const { role, until = null } = post.state === 'found' ? post.item : { role: 'none' }
    const id = { member_id: asked.member, branch_id: asked.branch }
    return parts.evidence('post', Post, id, state, `The role of the member here is ${role}.`, { role, until })
  }
  return parts.explained(
    verdict,
    allowing,
    (found) => [evidenceOf(found, 'found')],
    () =>
      all.flatMap((found) => {
        const unusable = [found.member, found.branch, found.post].filter(parts.isUnusable)
        return unusable.length > 0 ? parts.unusableAmong('record', unusable) : [evidenceOf(found, 'denies')]
      }),
  )
}

async function what(sources: Sources, asked: Pair, list: parts.Listed) {
  const [found] = await findAll(sources, [asked])
  if (found === undefined) throw new Error('One pair gives one finding.')
  const reason = found.actions.length === 0 && reasonOf(found).kind !== 'policy' ? reasonOf(found) : undefined
  const items = found.actions.map((each) => ({ action: each })).filter((each) => list.after === undefined || each.action > list.after)
  return list.pageOf(items, (each) => each.action, [found.member, found.branch, found.post], undefined, reason)
}

/** The posts of a branch, or of a member: a page of those that allow the action. */
async function allowing(sources: Sources, list: parts.Listed, by: 'member' | 'branch', id: string, action: Action) {
  const entity = by === 'member' ? Post : BranchPost
  const posts = parts.mergedRanges(sources, entity, [{ ...parts.placeOf(entity, { [`${by}_id`]: id }), of: id }], list.after)
  const flaws: parts.LoadResult<unknown>[] = []
  const steps = await posts.read(list.limit + 1, 1)
  const confirm = async (batch: readonly (readonly [string, unknown])[]) => {
    const pairs = batch.map(([other]) => (by === 'member' ? { member: id, branch: other } : { member: other, branch: id }))
    const all = await findAll(sources, pairs)
    flaws.push(...all.flatMap((found) => [found.member, found.branch, found.post]))
    return all.filter(({ actions }) => actions.includes(action)).map(({ asked }) => asked)
  }
  return parts.confirmedPage(list, posts, steps, confirm, (pair) => pair[by === 'member' ? 'branch' : 'member'], flaws)
}

const questions = {
  can: { summary: 'May this member do this at this branch?', fields: { member, branch, action }, answer: parts.decision },
  why: { summary: 'By which post, or for want of which, is it so?', fields: { member, branch, action }, answer: parts.explanation },
  what: { summary: 'What may this member do at this branch?', fields: { member, branch }, answer: pageOfValues<Did>({ action }) },
  who: { summary: 'Who may do this at this branch?', fields: { branch, action }, answer: pageOfValues<Pair>({ member, branch }) },
  where: {
    summary: 'At which branches may this member do this?',
    fields: { member, action },
    answer: pageOfValues<Pair>({ member, branch }),
  },
} satisfies parts.Questions

/** The five questions of the library. */
export const decideLibrary: (runtime: Runtime, options?: parts.DeciderOptions) => parts.Decider = parts.deciderOf(questions, {
  ...{ can, why, what },
  who: (sources, asked, list) => allowing(sources, list, 'branch', asked.branch, asked.action),
  where: (sources, asked, list) => allowing(sources, list, 'member', asked.member, asked.action),
})
