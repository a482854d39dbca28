import { afterAll, inject } from 'vitest'
import { beginFolders } from './temporary-folder.ts'

afterAll(beginFolders(inject('folderOfRun')))
