"""The judge by labels on texts in several languages, through a thesaurus that has labels in each.

The texts were written for this test: half are about music, half about other things.
"""

from __future__ import annotations

import os
from pathlib import Path

import pytest

from semcrawl.page import Page
from semcrawl.relevance.judges import LabelsJudge
from semcrawl.topics import Topic

ROOT = Path(__file__).parents[2]

# A blank line parts two texts.
MUSIC = {
    "fr": """
Le quatuor a joué deux œuvres de Ravel devant une salle pleine. La musique de chambre
demande une grande écoute entre les musiciens. Le concert s'est terminé par un rappel.

Elle apprend le violon depuis l'âge de six ans. Son professeur au conservatoire lui a
conseillé un instrument plus grand. Elle rêve d'entrer dans un orchestre.

Le chœur du village répète chaque jeudi soir. On y chante des motets de la Renaissance et
des chansons populaires. Les partitions sont prêtées par la bibliothèque.

Né à La Nouvelle-Orléans, le jazz a conquis Paris dans les années vingt. Les orchestres
jouaient toute la nuit, et les compositeurs classiques venaient les écouter.
""",
    "ru": """
Вчера в филармонии играли симфонию Чайковского. Оркестром дирижировал молодой музыкант из
Казани. Концерт закончился поздно вечером.

Мой брат учится играть на скрипке. Каждый день он повторяет гаммы и слушает записи старых
мастеров. Музыка стала главным делом его жизни.

Опера открыла сезон новой постановкой. Певцы приехали из трёх стран, а хор театра разучил
партии за месяц. Публика долго аплодировала.
""",
    "es": """
La orquesta de la ciudad estrenó anoche una sinfonía. El director eligió un tempo lento y
los violines brillaron en el segundo movimiento. El público pidió otro concierto.

Mi abuelo tocaba la guitarra en las fiestas del pueblo. De él aprendí las canciones
antiguas y el gusto por la música tradicional.

El compositor terminó su ópera poco antes de morir. Los cantantes la ensayaron durante
meses. Hoy es una de las piezas más queridas de la música española.
""",
}

OTHER = {
    "fr": """
Faites revenir les oignons dans le beurre, puis ajoutez la farine. Versez le bouillon
chaud et laissez cuire une demi-heure. Servez la soupe avec du pain grillé.

Le granite se forme lorsque le magma refroidit lentement en profondeur. L'érosion le met
au jour après des millions d'années. On le reconnaît à ses grains de quartz.

L'équipe a gagné le match par deux buts à un. Le gardien a arrêté un penalty à la dernière
minute, et le stade s'est levé.
""",
    "ru": """
Сборная выиграла матч со счётом три ноль. Вратарь отбил два опасных удара, а нападающий
забил гол с передачи капитана.

Для борща нужны свёкла, капуста и хороший бульон. Овощи режут соломкой и тушат на
медленном огне. Подают суп со сметаной.

Извержение вулкана началось ночью. Лава перекрыла дорогу, и жителей двух деревень вывезли
на автобусах. Геологи следят за склоном.

Банк повысил ставку по вкладам. Экономисты ждут, что инфляция снизится к концу года, а
курс рубля останется прежним.
""",
    "es": """
El delantero marcó en el minuto noventa y el equipo subió a la segunda posición. El
árbitro no vio la falta y el entrenador protestó.

Corta el tomate y el pepino en trozos pequeños. Añade aceite, vinagre y sal, y deja el
gazpacho en la nevera dos horas antes de servirlo.

Los geólogos hallaron un yacimiento de cobre en la cordillera. La roca contiene también
plata, pero la mina quedará lejos de cualquier carretera.
""",
}

CHINESE_AND_JAPANESE = """
@prefix skos: <http://www.w3.org/2004/02/skos/core#> .
@prefix x: <http://example.org/> .
x:music a skos:Concept ; skos:prefLabel "音乐"@zh , "音楽"@ja .
x:instrument a skos:Concept ; skos:broader x:music ; skos:prefLabel "乐器"@zh , "楽器"@ja .
x:piano a skos:Concept ; skos:broader x:instrument ; skos:prefLabel "钢琴"@zh , "ピアノ"@ja .
x:opera a skos:Concept ; skos:broader x:music ; skos:prefLabel "歌剧"@zh , "オペラ"@ja .
x:orchestra a skos:Concept ; skos:broader x:music ;
    skos:prefLabel "交响乐团"@zh , "オーケストラ"@ja .
x:geology a skos:Concept ; skos:prefLabel "地质学"@zh , "地質学"@ja .
"""


@pytest.fixture(scope="module")
def music() -> str:
    """Music, musical styles, musicians and opera: they are apart in UNESCO's thesaurus."""
    data = Path(os.environ.get("SEMCRAWL_DATA", ROOT.parent / "shared" / "data"))
    file = data / "ontologies" / "unesco-thesaurus.ttl"
    if not file.is_file():
        pytest.skip(f"there is no {file}")
    return f"{file}#concept353,concept354,concept14403,concept5396"


def relevance(judge: LabelsJudge, text: str, language: str, languages: tuple[str, ...]) -> float:
    page = Page(url="http://a.test/", pieces=(text,), declared_language=language, languages=languages)
    return judge.judge(page).relevance


def right_ones(judge: LabelsJudge, languages: tuple[str, ...]) -> list[bool]:
    """Whether each text in some languages is judged as it should be."""
    return [
        (relevance(judge, text, language, languages) >= judge.threshold) == on_topic
        for on_topic, texts in ((True, MUSIC), (False, OTHER))
        for language in languages
        for text in texts[language].split("\n\n")
    ]


def test_a_topic_of_three_languages_knows_music_in_each(music: str) -> None:
    languages = ("fr", "ru", "es")
    right = right_ones(LabelsJudge(Topic.parse(music, language=languages)), languages)
    assert len(right) == 20
    assert sum(right) >= 18


@pytest.mark.parametrize("language", ["fr", "ru", "es"])
def test_a_topic_of_one_language_knows_music_in_it(music: str, language: str) -> None:
    right = right_ones(LabelsJudge(Topic.parse(music, language=language)), (language,))
    assert sum(right) >= len(right) - 1


@pytest.mark.parametrize(
    ("language", "about_music", "about_other"),
    [
        (
            "zh",
            "昨晚交响乐团演出了一部新作品。钢琴独奏很精彩，听众非常喜欢音乐会。",
            "这座山由花岗岩构成。河流冲刷了几百万年，形成了深谷。",
        ),
        (
            "ja",
            "昨夜、オーケストラが新しい曲を演奏した。ピアノの独奏がすばらしく、音楽を楽しんだ。",
            "この山は花崗岩でできている。川が長い年月をかけて谷をけずった。",
        ),
    ],
)
def test_labels_are_found_in_scripts_without_spaces(
    tmp_path: Path, language: str, about_music: str, about_other: str
) -> None:
    file = tmp_path / "music.ttl"
    file.write_text(CHINESE_AND_JAPANESE, "utf-8")
    judge = LabelsJudge(Topic.parse(f"{file}#music", language=language))
    assert relevance(judge, about_music, language, (language,)) >= judge.threshold
    assert relevance(judge, about_other, language, (language,)) == 0
