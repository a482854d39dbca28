import { Stack } from '@mantine/core'
import { Giving } from './doing.tsx'
import { HeldBy } from './held.tsx'
import { grantIn } from './lists.ts'
import { PageScreen, type Panel } from './page.tsx'
import { fieldOf, QuestionAbout } from './question.tsx'

/** A person: who it is, everything that it holds and by what, and all that it may do. */
export const PersonScreen = () => (
  <PageScreen
    room="people"
    panels={({ design, entity, item, lists }) => {
      const access: Panel = {
        tab: 'access',
        title: 'Access',
        content: (
          <Stack>
            <HeldBy design={design} person={item} />
            <Giving {...{ design, entity, item }} />
          </Stack>
        ),
      }
      const may =
        fieldOf(design, 'what', entity) === undefined
          ? []
          : [{ tab: 'may', title: 'What it may', content: <QuestionAbout {...{ design, asking: 'what', entity, item }} /> }]
      return { own: [access, ...may], shown: lists.flatMap(({ of }) => (grantIn(design, of) === undefined ? [] : [of])) }
    }}
  />
)
