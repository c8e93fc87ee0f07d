"""External databases: what the login may do, and what an administrator is told when it may not."""

from __future__ import annotations

from collections.abc import AsyncIterator

import pytest
from tests.integration.storage.rows import Owner

from cortex.errors import Invalid
from cortex.settings import Settings
from cortex.storage import _roles, migrate, open_database


@pytest.fixture
async def stranger(owner: Owner) -> AsyncIterator[Owner]:
    """The session of a login that holds no right at all; roles belong to the whole server, so it goes at the end."""
    await owner.execute("CREATE ROLE stranger LOGIN")
    await owner.execute("SET SESSION AUTHORIZATION stranger")
    yield owner
    await owner.execute("RESET SESSION AUTHORIZATION")
    await owner.execute("DROP OWNED BY stranger")
    await owner.execute("DROP ROLE stranger")


async def test_a_login_that_may_not_prepare_is_told_the_sql(stranger: Owner) -> None:
    with pytest.raises(Invalid, match='GRANT cortex_owner TO "stranger" WITH SET TRUE; GRANT cortex_app') as caught:
        await _roles.prepare_external(stranger)
    assert caught.value.field == "DATABASE_URL"
    assert "\n" not in caught.value.message


async def test_a_login_that_may_not_become_the_roles_is_told_the_grant(stranger: Owner) -> None:
    with pytest.raises(Invalid, match='GRANT cortex_ai TO "stranger" WITH SET TRUE'):
        await _roles.check_login(stranger, "ai")


async def test_a_login_with_the_grants_serves(stranger: Owner) -> None:
    await stranger.execute("RESET SESSION AUTHORIZATION")
    await stranger.execute("GRANT cortex_app TO stranger WITH SET TRUE")
    await stranger.execute("SET SESSION AUTHORIZATION stranger")
    await _roles.check_login(stranger, "app")
    with pytest.raises(Invalid):
        await _roles.check_login(stranger, "ai")


async def test_an_administrator_prepares_what_is_missing(owner: Owner, settings: Settings) -> None:
    await owner.execute("DROP EXTENSION vector CASCADE")
    await _roles.prepare_external(owner)
    cursor = await owner.execute("SELECT count(*) FROM pg_extension WHERE extname = 'vector'")
    assert await cursor.fetchone() == (1,)
    assert await migrate(settings) == 0


async def test_a_second_login_for_the_ai_role(settings: Settings) -> None:
    assert settings.database_url is not None
    second = settings.model_copy(update={"database_ai_url": settings.database_url + " application_name=second"})
    async with await open_database(second) as database, database.connection("ai") as connection:
        row = await (await connection.execute("SHOW application_name")).fetchone()
        assert row == {"application_name": "second"}
