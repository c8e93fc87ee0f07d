"""Words that ask rather than say: left out of questions, never out of documents."""

_ENGLISH = """
a an the and or but if of to in on at by for with from as is are was were be been being am do does did done doing have has had having
i me my mine we us our ours you your yours he him his she her hers it its they them their theirs this that these those there here
what which who whom whose when where why how can could would should shall will may might must not no so than then too very just about
into over under again any all some such only own same s t don't doesn't didn't isn't aren't wasn't weren't can't couldn't won't
wouldn't i'm i've i'd i'll you're it's that's what's let's please tell
"""

_HAN_WORDS = """
什么 怎么 怎样 怎么样 如何 为什么 为何 哪些 哪个 哪里 哪儿 哪种 多少 几个 是否 有没有 是不是 能不能 可以 我们 你们 他们 她们 它们
这个 那个 这些 那些 这里 那里 自己 以及 关于 还是 或者 但是 因为 所以 如果 就是 不是 没有 请问 告诉 一下 一个 时候 是什么
"""

ENGLISH = frozenset(_ENGLISH.split())

HAN_WORDS = frozenset(_HAN_WORDS.split())

HAN = frozenset(
    "的了吗呢吧啊呀是在有和与或及就都也很还又再把被对从到为以于其之这那哪谁我你您他她它们个些么什怎几嘛请问给让向跟"
)
