// Words of the app in one language, made of pairs: see `words/words.js`.
type Text = string | readonly string[] | ((...values: never[]) => string);
export interface Pairs {
  readonly [name: string]: readonly [Text, Text] | Pairs;
}
type Name<Place extends string> = Place extends `${infer Before}|${string}` ? Before : Place;
type Names<T extends string> = T extends `${string}{${infer Place}}${infer Rest}` ? [Name<Place>, ...Names<Rest>] : [];
type Unique<N, Seen = never> = N extends [infer First, ...infer Rest]
  ? First extends Seen ? Unique<Rest, Seen> : [First, ...Unique<Rest, Seen | First>]
  : [];
/** The value of a place: what chooses a form is a number. */
type Value<Text, Place extends string> = Text extends `${string}{${Place}|${string}` ? number : string | number;
type Filled<Text, N> = N extends [string, ...string[]] ? (...values: { [K in keyof N]: Value<Text, N[K] & string> }) => string : string;
type Word<T> = T extends string ? Filled<T, Unique<Names<T>>>
  : T extends readonly string[] ? { readonly [K in keyof T]: string }
  : T;
/** A text with places is a function of their values, in the order of the English text. */
export type Picked<T> = T extends readonly [infer English, unknown] ? Word<English> : { readonly [K in keyof T]: Picked<T[K]> };
