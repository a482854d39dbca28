import { describe, expect, test } from 'vitest'
import { type AnyDesign, code, design, entity, get, instant, mirror, opaqueId } from '../index.ts'
import { prove } from '../prove.ts'

// Designs whose items could not be kept true for ever, as what they refer to comes and goes.

function errorsOf(entities: AnyDesign['entities']): readonly (readonly [code: string, subject: string])[] {
  const patterns = Object.fromEntries(Object.values(entities).map((each) => [`get${each.name}`, get(each)]))
  const { findings } = prove(design({ name: 'small', table: 'small', entities, patterns }))
  return findings.filter(({ severity }) => severity === 'error').map(({ code: found, subject }) => [found, subject])
}

const Zone = entity('Zone', { attributes: { zone: code(), region: code() }, key: ['ZONE#{zone}', 'META'], fixed: ['region'] })

describe('a copy of what never changes, which may outlive its original', () => {
  const memo = { memoId: opaqueId(), zone: code(), region: code().from('zone') }

  test('is found from the next item with the key', () => {
    const Memo = entity('Memo', { attributes: memo, key: ['MEMO#{memoId}', 'META'], refers: { zone: { to: Zone, onRemove: 'keep' } } })
    expect(errorsOf({ Zone, Memo })).toEqual([['CopyNotFollowed', 'Memo']])
    expect(errorsOf({ Zone, Memo, MemoOfZone: mirror('MemoOfZone', Memo, ['MEMOS#{zone}', 'MEMO#{memoId}']) })).toEqual([])
  })

  test('is in no table key', () => {
    const keyed = (to: typeof Zone, onRemove: 'keep' | 'cascade') => {
      const Memo = entity('Memo', { attributes: memo, key: ['REGION#{region}', 'MEMO#{memoId}'], refers: { zone: { to, onRemove } } })
      return errorsOf({ Zone: to, Memo, MemoOfZone: mirror('MemoOfZone', Memo, ['MEMOS#{zone}', 'MEMO#{memoId}']) })
    }
    const Expiring = entity('Zone', {
      attributes: { zone: code(), region: code(), until: instant() },
      key: ['ZONE#{zone}', 'META'],
      fixed: ['region'],
      expires: 'until',
    })
    expect(keyed(Zone, 'keep')).toEqual([['CopyInKey', 'Memo']])
    expect(keyed(Expiring as never, 'cascade')).toEqual([['CopyInKey', 'Memo']])
    expect(keyed(Zone, 'cascade')).toEqual([])
  })

  test('stays what it is where no other item takes the key, or has another value', () => {
    const Once = entity('Once', {
      attributes: { id: opaqueId().made(), zone: code(), region: code() },
      key: ['ZONE#{zone}', 'ONCE#{id}'],
      fixed: ['region'],
    })
    const Memo = entity('Memo', {
      attributes: { memoId: opaqueId(), zone: code(), once: opaqueId(), region: code().from('once') },
      key: ['MEMO#{memoId}', 'META'],
      refers: { once: { to: Once, onRemove: 'keep' } },
    })
    expect(errorsOf({ Once, Memo })).toEqual([])
  })
})
