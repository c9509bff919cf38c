"""Objects: what the path of an operation names, read with the caller's role in its workshop.

For a read it comes with the caller's credentials in one statement: each statement of a request takes a round trip on
PostgreSQL, and a tenth of the processor time of a GET on SQLite. For a write it is locked in the transaction.
"""

from collections.abc import Callable, Sequence
from typing import Any, Generic

from msgspec import Struct, defstruct

from backbench.engine.database import Read, StructRow, Write
from backbench.engine.rows import JoinedRow, columns, maker_of, set_maker, width_of
from backbench.values.calls import Call
from backbench.values.errors import Forbidden, NotFound

# The object, its workshop and the caller's role there.
_Row = tuple[Any, str, str | None]


class Loaded(Generic[StructRow]):
    """What the path of an operation names: read with the caller's role in its workshop, and locked for a write.

    `name` is the argument by which verbs take it; `table` with its alias is where it comes from, `own_columns` what
    is selected where these are not the fields of its type. `locked`: the tables whose rows it is made of, where it is
    made of several, with their aliases in `locks`; without any, nothing is locked. `of_owner`: only owners may.
    `is_hidden`: for others than members it is Forbidden also where it does not exist.
    """

    def __init__(
        self,
        type_: type[StructRow],
        name: str,
        table: str,
        *,
        key: str,
        own_columns: str = "",
        condition: str = "",
        joins: str = "",
        locked: str = "",
        locks: Sequence[str] | None = None,
        workshop: str = "",
        members: str | None = None,
        role: str = "m.role",
        of_owner: bool = False,
        is_hidden: bool = False,
    ) -> None:
        alias = table.split()[-1]
        where = condition or f"{alias}.id = :{key}"
        workshop = workshop or f"{alias}.workshop_id"
        if members is None:
            members = f"JOIN members m ON m.workshop_id = {workshop} AND m.account_id = {{uid}}"
        fields = [("found", type_ | None), ("workshop_id", str), ("role", str | None)]
        # The row that is read, where there is one; all its columns are NULL in a join without one.
        self.row: Any = defstruct(f"{type_.__name__}OfCaller", fields, bases=(JoinedRow,), frozen=True)
        self.make = _tuple_maker(type_)
        set_maker(self.row, self.make)
        self.name, self.key = name, key
        self.columns = f"{own_columns or columns(type_, alias)}, {workshop} AS workshop_id, {role} AS role"
        self._table, self._where = table, where
        self._joins = f"{joins} {members and 'LEFT ' + members}"
        self.alone = self._for_caller(f"SELECT {self.columns} FROM {table} {self._joins} WHERE {where}")
        # Of a member: a stranger waits for no lock.
        self._of_member = self.alone.replace("LEFT JOIN members", "JOIN members")
        self._lock = self._for_caller(f"SELECT {workshop} FROM {locked} {members} WHERE {where}") if locked else ""
        self._locked = f"{locked} {members}" if locked else f"{table} {joins} {members}"
        # Where a lock takes a statement of its own, the object is read with another one.
        self.is_read_after_lock = locked != ""
        self.locks = (alias,) if locks is None else tuple(locks)
        self._is_of_owner, self._is_hidden = of_owner, is_hidden

    @property
    def is_locked(self) -> bool:
        """Whether a write locks it."""
        return self.locks != ()

    @staticmethod
    def _for_caller(sql: str, uid: str = ":uid") -> str:
        return sql.replace("{uid}", uid)

    def joined_to(self, uid: str) -> str:
        """The joins for a statement whose column `uid` is the account."""
        return self._for_caller(f"LEFT JOIN {self._table} ON {self._where} {self._joins}", uid)

    def locked_with(self, columns: str, source: str, condition: str, uid: str) -> str:
        """The statement that locks it for a member, and selects `columns` and, unless it is read after that, its own.

        `source` has the account in its column `uid`.
        """
        own = "" if self.is_read_after_lock else f", {self.columns}"
        joined = self._for_caller(f"CROSS JOIN {self._locked} WHERE {self._where}", uid)
        return f"SELECT {columns}{own} FROM {source} {joined} AND {condition}"

    async def find(self, db: Read, call: Call, id_: str) -> StructRow:
        """Raises NotFound, and Forbidden when it is another workshop's."""
        found: StructRow = (await self._row(db, call, id_))[0]
        return found

    async def lock(self, db: Write, call: Call, id_: str) -> StructRow:
        """The same, locked against changes by others until the end of the transaction."""
        found: StructRow = (await self._locked_row(db, call, id_))[0]
        return found

    async def arguments(self, db: Read, call: Call, id_: str) -> dict[str, Any]:
        """What verbs may take: the object by its name, `workshop_id`, `role`. Raises NotFound, Forbidden."""
        found, workshop_id, role = await self._row(db, call, id_)
        return {self.name: found, "workshop_id": workshop_id, "role": role}

    def arguments_of(self, row: Sequence[Any], call: Call) -> dict[str, Any]:
        """The same of its row, which was read with the credentials."""
        found, workshop_id, role = self._permitted(call, self.make(row))
        return {self.name: found, "workshop_id": workshop_id, "role": role}

    async def locked_arguments(self, db: Write, call: Call, id_: str) -> dict[str, Any]:
        """The same, locked against changes by others until the end of the transaction."""
        found, workshop_id, role = await self._locked_row(db, call, id_)
        return {self.name: found, "workshop_id": workshop_id, "role": role}

    async def _row(self, db: Read, call: Call, id_: str) -> _Row:
        return self._permitted(call, await db.one(self.row, self.alone, **{self.key: id_, "uid": call.uid}))

    async def _locked_row(self, db: Write, call: Call, id_: str) -> _Row:
        if not self.locks:
            return await self._row(db, call, id_)
        values = {self.key: id_, "uid": call.uid}
        if self._lock:
            # Read after the lock: a statement that waits does not see what else has changed meanwhile.
            await db.locking(*self.locks).one(str, self._lock, **values)
            return await self._row(db, call, id_)
        row = await db.locking(*self.locks).one(self.row, self._of_member, **values)
        if row is None:
            await self._row(db, call, id_)
            # It was deleted, or the caller became a member, between the two.
            raise NotFound
        return self._permitted(call, row)

    def _permitted(self, call: Call, row: _Row | None) -> _Row:
        if row is None or row[0] is None:
            raise Forbidden if self._is_hidden else NotFound
        if call.require_role(row[1], row[2]) != "owner" and self._is_of_owner:
            raise Forbidden
        return row


def _tuple_maker(type_: type[Struct]) -> Callable[[Sequence[Any]], _Row]:
    """Makes what is read of a row: a Struct of both would cost as much as the checks."""
    width, make = width_of(type_), maker_of(type_)
    return lambda row: (None if row[0] is None else make(row[:width]), row[width], row[width + 1])


class OwnRef(Struct, frozen=True):
    """What belongs to an account."""

    id: str


def of_account(name: str, table: str, *, key: str) -> Loaded[OwnRef]:
    """What the path names of the caller's own; that of others is not found."""
    alias = table.split()[-1]
    condition = f"{alias}.id = :{key} AND {alias}.account_id = {{uid}}"
    return Loaded(OwnRef, name, table, key=key, condition=condition, workshop="''", members="", role="'owner'")
