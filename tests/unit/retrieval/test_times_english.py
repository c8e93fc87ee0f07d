"""Labelled English questions: which days they name, and those that name none. Today is Wednesday, 20 May 2026."""

from __future__ import annotations

import datetime as dt

import pytest

from cortex.retrieval.times import read

TODAY = dt.date(2026, 5, 20)

NAMED = """
What did I write today?                                         2026-05-20 2026-05-20
What did I decide yesterday?                                    2026-05-19 2026-05-19
Yesterday's meeting: who came?                                  2026-05-19 2026-05-19
What did I eat the day before yesterday?                        2026-05-18 2026-05-18
Where did we go last night?                                     2026-05-19 2026-05-19
What did the doctor say this morning?                           2026-05-20 2026-05-20
What happened this week?                                        2026-05-18 2026-05-24
What did I do last week?                                        2026-05-11 2026-05-17
Last week, what did Wei finish?                                 2026-05-11 2026-05-17
Who was at last week's review?                                  2026-05-11 2026-05-17
What did I read the week before last?                           2026-05-04 2026-05-10
What did I note two weeks ago?                                  2026-05-04 2026-05-10
What happened a week ago?                                       2026-05-11 2026-05-17
What did we talk about 3 days ago?                              2026-05-17 2026-05-17
Where was I a month ago?                                        2026-04-01 2026-04-30
What was I learning six months ago?                             2025-11-01 2025-11-30
What was I worried about two years ago?                         2024-01-01 2024-12-31
What was I reading a year ago?                                  2025-01-01 2025-12-31
What did we do last weekend?                                    2026-05-16 2026-05-17
What did I cook this weekend?                                   2026-05-23 2026-05-24 future
How was the race last Sunday?                                   2026-05-17 2026-05-17
What did Anna say on Monday?                                    2026-05-18 2026-05-18
What was decided on Friday?                                     2026-05-15 2026-05-15
What did I write last Wednesday?                                2026-05-13 2026-05-13
What did I write on Wednesday?                                  2026-05-20 2026-05-20
What did the plumber charge this Tuesday?                       2026-05-19 2026-05-19
How much did I run this month?                                  2026-05-01 2026-05-31
How much did I spend last month?                                2026-04-01 2026-04-30
What did I ship last quarter?                                   2026-01-01 2026-03-31
What did I plan this quarter?                                   2026-04-01 2026-06-30
What did I learn last year?                                     2025-01-01 2025-12-31
Which books did I read this year?                               2026-01-01 2026-12-31
What were last year's goals?                                    2025-01-01 2025-12-31
What did I want the year before last?                           2024-01-01 2024-12-31
How was the end of last month?                                  2026-04-20 2026-04-30
What worried me early last year?                                2025-01-01 2025-03-31
What did I buy at the end of last year?                         2025-10-01 2025-12-31
What happened at work in Q1 of last year?                       2025-01-01 2025-03-31
Why did I drop Kafka in Q1?                                     2026-01-01 2026-03-31
What went wrong in Q4?                                          2025-10-01 2025-12-31
What was the plan for Q2 2024?                                  2024-04-01 2024-06-30
Summarise 2024 Q2                                               2024-04-01 2024-06-30
Summarise 2024Q3.                                               2024-07-01 2024-09-30
Summarise Q3/2024.                                              2024-07-01 2024-09-30
Summarise the first quarter of 2025.                            2025-01-01 2025-03-31
What did I do in the second quarter of last year?               2025-04-01 2025-06-30
What was decided in the first quarter?                          2026-01-01 2026-03-31
How did the last quarter of 2024 go?                            2024-10-01 2024-12-31
What did I learn in the second half of 2024?                    2024-07-01 2024-12-31
Sales in H1 2025                                                2025-01-01 2025-06-30
What did I do in March?                                         2026-03-01 2026-03-31
What did I do in may?                                           2026-05-01 2026-05-31
Who came in May?                                                2026-05-01 2026-05-31
What did I do in November?                                      2025-11-01 2025-11-30
What did we do last October?                                    2025-10-01 2025-10-31
What did we do last May?                                        2025-05-01 2025-05-31
What did I do last March?                                       2026-03-01 2026-03-31
What did I plant this March?                                    2026-03-01 2026-03-31
What did I do in March of last year?                            2025-03-01 2025-03-31
What did I do in March last year?                               2025-03-01 2025-03-31
Which notes are from March 2024?                                2024-03-01 2024-03-31
Summary of Sept. 2024                                           2024-09-01 2024-09-30
What happened in early March?                                   2026-03-01 2026-03-11
What did Dad do in late October 2024?                           2024-10-21 2024-10-31
What did I sow in mid-April?                                    2026-04-10 2026-04-20
What did I note at the end of February 2024?                    2024-02-20 2024-02-29
What did we do in the first week of May 2025?                   2025-05-01 2025-05-07
How was the last week of 2024?                                  2024-12-25 2024-12-31
What did I do in week 3 of 2026?                                2026-01-12 2026-01-18
What did I do in week 16 of last year?                          2025-04-14 2025-04-20
Which decision fell in week 12?                                 2026-03-16 2026-03-22
What did I do in week 50?                                       2025-12-08 2025-12-14
What is in 2026-W03?                                            2026-01-12 2026-01-18
Plans of W53 2020                                               2020-12-28 2021-01-03
What is in 2025 week 1?                                         2024-12-30 2025-01-05
What happened in the week of May 4?                             2026-05-04 2026-05-10
What did I write on May 3rd, 2024?                              2024-05-03 2024-05-03
What did I write on 3 May 2024?                                 2024-05-03 2024-05-03
What did I write on the 3rd of May?                             2026-05-03 2026-05-03
What did I write on December 24?                                2025-12-24 2025-12-24
What did I do on Feb 29?                                        2024-02-29 2024-02-29
What is in 2024-05-03?                                          2024-05-03 2024-05-03
What is in 2024/5/3?                                            2024-05-03 2024-05-03
What is in 2024.05.03?                                          2024-05-03 2024-05-03
What did I spend in 2024-05?                                    2024-05-01 2024-05-31
Which talks did I give in 2024?                                 2024-01-01 2024-12-31
What did I learn during 2025?                                   2025-01-01 2025-12-31
What did I want in early 2025?                                  2025-01-01 2025-03-31
What did I fear at the beginning of 2025?                       2025-01-01 2025-03-31
What moved me in mid-2024?                                      2024-05-01 2024-08-31
What did we do last summer?                                     2025-06-01 2025-08-31
What did I plant in the spring of 2025?                         2025-03-01 2025-05-31
What did I ski in winter 2024?                                  2024-12-01 2025-02-28
How much did I sleep in the last two weeks?                     2026-05-07 2026-05-20
How much did I run over the past month?                         2026-04-21 2026-05-20
What did I learn in the last year?                              2025-05-21 2026-05-20
What did I eat the past 3 days?                                 2026-05-18 2026-05-20
What have I written in the last 10 days?                        2026-05-11 2026-05-20
What did I write between March and May?                         2026-03-01 2026-05-31
What did I write between March and May 2025?                    2025-03-01 2025-05-31
What did I write between March and May (2025)?                  2026-03-01 2026-05-31
What did I do from November to February?                        2025-11-01 2026-02-28
What did I do from November 2024 to February?                   2024-11-01 2025-02-28
What did I do from November to February 2025?                   2024-11-01 2025-02-28
How did I train between 2024-01-15 and 2024-02-10?              2024-01-15 2024-02-10
What did I do from 2024 to 2025?                                2024-01-01 2025-12-31
Compare Q1 2024 and Q1 2025                                     2024-01-01 2025-03-31
Did I run more in March or April?                               2026-03-01 2026-04-30
What has changed since June?                                    2025-06-01 2026-05-20
What has changed since last week?                               2026-05-11 2026-05-20
What has changed since 2024?                                    2024-01-01 2026-05-20
What have I bought since March 3rd?                             2026-03-03 2026-05-20
What did I do after March 2026?                                 2026-04-01 2026-05-20
What did I believe before 2025?                                 0001-01-01 2024-12-31
What did I know before March 2025?                              0001-01-01 2025-02-28
What did I write until May 2024?                                0001-01-01 2024-05-31
What changed after the outage in April 2026?                    2026-04-01 2026-05-20
What did I do this time last year?                              2025-05-01 2025-05-31
What did I say last week about next week?                       2026-05-11 2026-05-17
what did i do in march                                          2026-03-01 2026-03-31
WHAT DID I DO LAST WEEK?                                        2026-05-11 2026-05-17
What did I do in 2025-11 and 2025-12?                           2025-11-01 2025-12-31
"""

NAMELESS = """
May I bring the cat on the plane?
May we leave the keys with Ruth?
What may happen if the disk is full?
It may be in the drawer; where?
In what cases may the landlord enter?
This may be a stupid question: what is a slot?
May the force be with whom?
How long the milk will last may depend on what?
Who founded the March of Dimes?
What is the March of the Penguins about?
Who wins March Madness?
What did they march for?
In what order did the soldiers march?
Who played the last march at the wedding?
The women's march: where did it start?
In the second place, who won?
Wait a second: where are the keys?
What is the second step of the recipe?
Which question is Q1?
Who came up with Q1 of the survey?
What does Q4 do in the amplifier?
What is the first quarter of the moon?
When is the last quarter moon?
Who scored in the last quarter of the game?
What was new in the second half of the match?
How is support organised, 24/7?
What changed in Python 3.11?
What changed in version 2024.1?
How do I install Visual Studio 2022?
Is Office 2021 still supported?
What is new in Ubuntu 24.04?
What does ES2015 add?
Which essay has 2000 words?
How do I write an essay in 2000 words?
How do I say it in 2000 characters?
Where is box HY-2025-0728?
Who is customer MC-88213-B?
What is the number +49 2024 0503?
What does RFC 2024 say?
Which address is 2024 Main Street?
What is a prime number?
How long should the pork simmer?
How many weeks does the passport take?
How often do I water the garden every March?
What do I do on Mondays?
Is the shop open Monday to Friday?
Who is on call next week?
What will I do tomorrow?
What is planned for next March?
What is planned for 2030?
Where will we be in December 2026?
Who wrote the song Yesterday?
What is Last Week Tonight?
What did "Last Year in Marienbad" teach me?
Who wrote “March 1917”?
What is in `2024-05-03`?
What is in 2024-05-03.md?
What does https://example.org/2024/05/03/post say?
What did April say about the offer?
What did June cook for Dad?
Is August a good name for a boy?
What has changed since June left?
How did Friday find Robinson?
What does Wednesday Addams wear?
What was the last time I saw Ruth?
What is the last year of school called?
What is the last week of training for?
Which is the last month of pregnancy?
What should I stop two weeks before surgery?
Which medicine did Dad stop after one year?
How many days are in a quarter?
How old is the cat this many years on?
Should I fall for it?
What did spring from the idea?
Where is the summer house?
What is the half of 2024?
How much is a quarter of 2000?
When is the third quarter final?
Which train leaves at 20:24?
How long did it take, 10 days?
What did I write more than two years ago?
Which tag is #2024?
What is in [[2024-05-03]]?
What does 19.5.2024.7 mean?
Was it over 2025 euros?
Who owns the bakery today?
What changed after the outage in April?
"""


def cases(table: str) -> list[tuple[str, str, str]]:
    rows = []
    for line in table.strip().splitlines():
        question, _, days = line.rpartition("  ")
        first, last = days.split()[:2]
        if "future" not in days:
            rows.append((question.strip(), first, last))
    return rows


@pytest.mark.parametrize(("question", "first", "last"), cases(NAMED))
def test_the_days_that_a_question_names(question: str, first: str, last: str) -> None:
    """PITFALLS 16."""
    span = read(question, TODAY)
    assert span is not None
    assert (str(span.first), str(span.last)) == (first, last)


@pytest.mark.parametrize("question", NAMELESS.strip().splitlines())
def test_a_question_with_no_time_gets_none(question: str) -> None:
    assert read(question, TODAY) is None


def test_there_are_enough_labels() -> None:
    assert len(NAMELESS.strip().splitlines()) >= 60
    assert len(cases(NAMED)) + len(NAMELESS.strip().splitlines()) >= 150


@pytest.mark.parametrize(
    ("question", "today", "first", "last"),
    [
        ("last week", "2026-01-01", "2025-12-22", "2025-12-28"),
        ("this week", "2026-01-01", "2025-12-29", "2026-01-04"),
        ("last week", "2021-01-04", "2020-12-28", "2021-01-03"),
        ("last month", "2026-01-15", "2025-12-01", "2025-12-31"),
        ("last quarter", "2026-02-15", "2025-10-01", "2025-12-31"),
        ("What did I do last March?", "2026-02-10", "2025-03-01", "2025-03-31"),
        ("What did I do last March?", "2026-03-31", "2025-03-01", "2025-03-31"),
        ("What did I do in December?", "2026-01-02", "2025-12-01", "2025-12-31"),
        ("What did we do last winter?", "2026-01-10", "2024-12-01", "2025-02-28"),
        ("What did we do this winter?", "2026-01-10", "2025-12-01", "2026-02-28"),
        ("What was in week 53?", "2026-05-20", "2020-12-28", "2021-01-03"),
        ("yesterday", "2024-03-01", "2024-02-29", "2024-02-29"),
        ("in the last month", "2026-03-31", "2026-03-01", "2026-03-31"),
        ("last Sunday", "2026-05-17", "2026-05-10", "2026-05-10"),
        ("end of last year", "2025-01-01", "2024-10-01", "2024-12-31"),
    ],
)
def test_across_the_end_of_weeks_months_and_years(question: str, today: str, first: str, last: str) -> None:
    """PITFALLS 16."""
    span = read(question, dt.date.fromisoformat(today))
    assert span is not None
    assert (str(span.first), str(span.last)) == (first, last)
