import { Table, type TableProps } from '@mantine/core'

interface ScrollTableProps extends TableProps {
  /** Its name for a screen reader. */
  readonly caption: string
  readonly minWidth: number
}

/** A table that scrolls within the page where it is too wide for it, by the keyboard, too. */
export function ScrollTable({ caption, minWidth, ...table }: ScrollTableProps) {
  return (
    <Table.ScrollContainer
      minWidth={minWidth}
      scrollAreaProps={{ offsetScrollbars: false, viewportProps: { tabIndex: 0, 'aria-label': caption } }}
    >
      <Table verticalSpacing="xs" aria-label={caption} {...table} />
    </Table.ScrollContainer>
  )
}
