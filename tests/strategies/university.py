"""A small web of departments, whose pages do not look like what they are.

Homepages of students say what their owners like, never that these are students: only the lists
that they stand on tell.
"""

from __future__ import annotations

from itertools import product
from random import Random

from tests.crawl.conftest import html

LIKED = [
    "hiking",
    "guitar",
    "chess",
    "football",
    "photography",
    "cooking",
    "travel",
    "cinema",
    "painting",
    "cycling",
    "climbing",
    "sailing",
    "gardening",
    "poetry",
    "dancing",
    "running",
    "baking",
    "knitting",
    "fishing",
]
TAUGHT = [
    "algebra",
    "compilers",
    "networks",
    "optics",
    "databases",
    "thermodynamics",
    "logic",
    "statistics",
    "genetics",
    "robotics",
    "graphics",
    "ethics",
    "acoustics",
    "mechanics",
]
GENERAL = ["".join(parts) for parts in product(("ba", "do", "fe", "ku", "lo", "mi", "na", "po", "ru", "ti"), repeat=3)]
STUDENTS, TEACHERS, COURSES = 20, 10, 8
SEED = "http://department0.test/"


MENU = (
    "<ul><li><a href=/>Home</a><li><a href=/students>Students</a><li><a href=/faculty>Faculty</a>"
    "<li><a href=/courses>Courses</a><li><a href=/news>News</a></ul>"
)
FOOTER = "<p>Made by and for the students and the faculty of this university. Imprint.</p>"


def university(
    departments: int = 3, general: int = 0, draw: int = 0, *, menu: str = "", footer: str = ""
) -> tuple[dict[str, str], dict[str, set[str]]]:
    """The pages by URL, and the URLs of students, teachers and courses.

    Each page has ``general`` words more, of no meaning, after ``menu`` and before ``footer``.
    """
    chance = Random(draw)
    web: dict[str, str] = {}
    kinds: dict[str, set[str]] = {"student": set(), "teacher": set(), "course": set()}

    def some(words: list[str], count: int) -> str:
        return " ".join(chance.choices(words, k=count))

    for number in range(departments):
        home = f"http://department{number}.test"
        students = {f"/~s{n}/": f"{some(LIKED, 1).title()} {n}" for n in range(STUDENTS)}
        teachers = {f"/~t{n}/": f"{some(TAUGHT, 1).title()} {n}" for n in range(TEACHERS)}
        courses = {f"/course/{name}": name.title() for name in chance.sample(TAUGHT, COURSES)}
        parts = {"/students": "Students", "/faculty": "Faculty", "/courses": "Courses"}
        news = {f"/news/{n}": f"News {n}" for n in range(10)}
        following = f"http://department{(number + 1) % departments}.test/"
        web[f"{home}/"] = html(
            f"Department {number}",
            {**parts, "/news": "News", following: "Another department"},
            "Welcome. Find students, faculty and courses here.",
        )
        web[f"{home}/students"] = html("Graduate students", students, "Students here.")
        web[f"{home}/faculty"] = html("Faculty members", teachers, "Our faculty.")
        web[f"{home}/courses"] = html("Courses", courses, "Courses of this term.")
        web[f"{home}/news"] = html("News", news, "What happened.")
        for path in news:
            said = f"{some(TAUGHT + LIKED, 30)} the student council met and students voted"
            web[home + path] = html(path, {"/": "Home"}, said)
        for path, name in students.items():
            kinds["student"].add(home + path)
            own = {f"{path}cv": "cv", f"{path}photos": "photos"}
            web[home + path] = html(name, {"/": "Home", **own}, f"Hi, I like {some(LIKED, 12)}")
            for more in own:
                web[home + more] = html(more, {path: "back"}, some(LIKED, 20))
        for path, name in teachers.items():
            kinds["teacher"].add(home + path)
            papers = f"{path}papers"
            said = f"Professor of {some(TAUGHT, 2)}. Research on {some(TAUGHT, 15)}"
            web[home + path] = html(name, {"/": "Home", papers: "Papers"}, said)
            web[home + papers] = html("Papers", {path: "back"}, some(TAUGHT, 40))
        for path, name in courses.items():
            kinds["course"].add(home + path)
            said = f"Lecture and exercises, an exam at the end of the term. {some(TAUGHT, 15)}"
            web[home + path] = html(name, {"/courses": "All courses"}, said)
    for url, page in web.items():
        more = f"<p>{some(GENERAL, general)}</p>" if general else ""
        web[url] = page.replace("<body>", f"<body>{menu}").replace("</body>", f"{more}{footer}</body>")
    return web, kinds
