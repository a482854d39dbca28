import type { Revert } from './revert.ts'

const jobs = 'packages/table/src/run/jobs'

/** The report of a committed write, and the items that its jobs touch: points 3 and 6 of issue 10. */
export const jobReverts: readonly Revert[] = [
  {
    name: 'what a job meets is told as the fault of the write',
    patches: [
      { file: `${jobs}/jobs.ts`, text: 'return [pendingJob(job, reasonOf(job, error)), ...asPending(left)]', reverted: 'throw error' },
    ],
    shownBy: [
      'a change is committed, and its copies meet: throttle',
      'a change is committed, and its copies meet: deny',
      'a change is committed, and its copies meet: garble-request',
      'a removal is committed, and the rest of it meets throttling',
    ],
  },
  {
    name: 'a job that nobody waits for is not told',
    patches: [{ file: 'packages/table/src/run/repository.ts', text: ': jobs.map((job) => pendingJob(job))', reverted: ': []' }],
    shownBy: ['nobody waits for a removal'],
  },
  {
    name: 'what the job of a flow meets is told as the fault of the flow',
    patches: [{ file: `${jobs}/jobs.ts`, text: 'throw notFinished(runtime, job, reasonOf(job, error))', reverted: 'throw error' }],
    shownBy: ['the job of a flow is recorded, and meets throttling'],
  },
  {
    name: 'a fault of a flow that has written a part is certain',
    patches: [
      {
        file: 'packages/table/src/run/pending.ts',
        text: 'throw collected.hasWritten ? partly(error) : error',
        reverted: 'throw error',
      },
    ],
    shownBy: ['a flow has written a part, and the rest meets throttling'],
  },
  {
    name: 'a removal that another worker takes back is told as done',
    patches: [
      {
        file: `${jobs}/jobs.ts`,
        text: '&& !notDone.includes(job)) await checkRemoved(runtime, job)',
        reverted: '&& false) await undefined',
      },
    ],
    shownBy: ['another worker takes a removal back'],
  },
  {
    name: "a caller's fault in being told of progress is that of the job",
    patches: [{ file: `${jobs}/progress.ts`, text: '  } catch {', reverted: '  } catch (error) {\n    throw error' }],
    shownBy: ['a caller throws when it is told of progress'],
  },
  {
    name: 'the marks of what is removed are not looked at again',
    patches: [
      { file: `${jobs}/removal.ts`, text: 'unique.some((marked) => keyText', reverted: '[].some((marked) => keyText' },
      { file: `${jobs}/removal.ts`, text: 'new Set(unique.filter(isMarked))', reverted: 'new Set(unique)' },
    ],
    shownBy: ['a worker is silent until what it removes was removed by another and made anew'],
  },
  {
    name: 'a worker takes a removal back whoever has the lease',
    patches: [{ file: `${jobs}/remove-job.ts`, text: '{ ...record, conditions }', reverted: 'record' }],
    shownBy: ['a worker is late to say that an item is in use, which another has begun to empty'],
  },
]
