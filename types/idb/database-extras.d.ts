// idb 8.0.4, ISC
export {};
