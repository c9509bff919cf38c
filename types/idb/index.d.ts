// idb 8.0.4, ISC
export * from './entry.d.ts';
import './database-extras.d.ts';
import './async-iterators.d.ts';
