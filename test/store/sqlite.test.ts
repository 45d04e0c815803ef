import { openTestStore } from '../support/store.ts';
import { describeStore } from './conformance.ts';

describeStore('the SQLite store', () => openTestStore());
