"""CLDR's names of months and days, from January and from Monday on, with bars between.

Written by `tests/unit/policy/ranking/update_cldr_names.py`. A table, because babel takes half a
second and 50 MB to read the same.
"""

from typing import NamedTuple


class Names(NamedTuple):
    months: str
    #: As they are written without a day.
    months_alone: str
    days: str


NAMES = {
    "en": Names(
        months="January|February|March|April|May|June|July|August|September|October|November|December",
        months_alone="January|February|March|April|May|June|July|August|September|October|November|December",
        days="Monday|Tuesday|Wednesday|Thursday|Friday|Saturday|Sunday",
    ),
    "de": Names(
        months="Januar|Februar|März|April|Mai|Juni|Juli|August|September|Oktober|November|Dezember",
        months_alone="Januar|Februar|März|April|Mai|Juni|Juli|August|September|Oktober|November|Dezember",
        days="Montag|Dienstag|Mittwoch|Donnerstag|Freitag|Samstag|Sonntag",
    ),
    "es": Names(
        months="enero|febrero|marzo|abril|mayo|junio|julio|agosto|septiembre|octubre|noviembre|diciembre",
        months_alone="enero|febrero|marzo|abril|mayo|junio|julio|agosto|septiembre|octubre|noviembre|diciembre",
        days="lunes|martes|miércoles|jueves|viernes|sábado|domingo",
    ),
    "fr": Names(
        months="janvier|février|mars|avril|mai|juin|juillet|août|septembre|octobre|novembre|décembre",
        months_alone="janvier|février|mars|avril|mai|juin|juillet|août|septembre|octobre|novembre|décembre",
        days="lundi|mardi|mercredi|jeudi|vendredi|samedi|dimanche",
    ),
    "it": Names(
        months="gennaio|febbraio|marzo|aprile|maggio|giugno|luglio|agosto|settembre|ottobre|novembre|dicembre",
        months_alone="gennaio|febbraio|marzo|aprile|maggio|giugno|luglio|agosto|settembre|ottobre|novembre|dicembre",
        days="lunedì|martedì|mercoledì|giovedì|venerdì|sabato|domenica",
    ),
    "pt": Names(
        months="janeiro|fevereiro|março|abril|maio|junho|julho|agosto|setembro|outubro|novembro|dezembro",
        months_alone="janeiro|fevereiro|março|abril|maio|junho|julho|agosto|setembro|outubro|novembro|dezembro",
        days="segunda-feira|terça-feira|quarta-feira|quinta-feira|sexta-feira|sábado|domingo",
    ),
    "nl": Names(
        months="januari|februari|maart|april|mei|juni|juli|augustus|september|oktober|november|december",
        months_alone="januari|februari|maart|april|mei|juni|juli|augustus|september|oktober|november|december",
        days="maandag|dinsdag|woensdag|donderdag|vrijdag|zaterdag|zondag",
    ),
    "tr": Names(
        months="Ocak|Şubat|Mart|Nisan|Mayıs|Haziran|Temmuz|Ağustos|Eylül|Ekim|Kasım|Aralık",
        months_alone="Ocak|Şubat|Mart|Nisan|Mayıs|Haziran|Temmuz|Ağustos|Eylül|Ekim|Kasım|Aralık",
        days="Pazartesi|Salı|Çarşamba|Perşembe|Cuma|Cumartesi|Pazar",
    ),
    "pl": Names(
        months="stycznia|lutego|marca|kwietnia|maja|czerwca|lipca|sierpnia|września|października|listopada|grudnia",
        months_alone="styczeń|luty|marzec|kwiecień|maj|czerwiec|lipiec|sierpień|wrzesień|październik|listopad|grudzień",
        days="poniedziałek|wtorek|środa|czwartek|piątek|sobota|niedziela",
    ),
    "ru": Names(
        months="января|февраля|марта|апреля|мая|июня|июля|августа|сентября|октября|ноября|декабря",
        months_alone="январь|февраль|март|апрель|май|июнь|июль|август|сентябрь|октябрь|ноябрь|декабрь",
        days="понедельник|вторник|среда|четверг|пятница|суббота|воскресенье",
    ),
    "ar": Names(
        months="يناير|فبراير|مارس|أبريل|مايو|يونيو|يوليو|أغسطس|سبتمبر|أكتوبر|نوفمبر|ديسمبر",
        months_alone="يناير|فبراير|مارس|أبريل|مايو|يونيو|يوليو|أغسطس|سبتمبر|أكتوبر|نوفمبر|ديسمبر",
        days="الاثنين|الثلاثاء|الأربعاء|الخميس|الجمعة|السبت|الأحد",
    ),
    "hi": Names(
        months="जनवरी|फ़रवरी|मार्च|अप्रैल|मई|जून|जुलाई|अगस्त|सितंबर|अक्टूबर|नवंबर|दिसंबर",
        months_alone="जनवरी|फ़रवरी|मार्च|अप्रैल|मई|जून|जुलाई|अगस्त|सितंबर|अक्टूबर|नवंबर|दिसंबर",
        days="सोमवार|मंगलवार|बुधवार|गुरुवार|शुक्रवार|शनिवार|रविवार",
    ),
    "zh": Names(
        months="一月|二月|三月|四月|五月|六月|七月|八月|九月|十月|十一月|十二月",
        months_alone="一月|二月|三月|四月|五月|六月|七月|八月|九月|十月|十一月|十二月",
        days="星期一|星期二|星期三|星期四|星期五|星期六|星期日",
    ),
    "ja": Names(
        months="1月|2月|3月|4月|5月|6月|7月|8月|9月|10月|11月|12月",
        months_alone="一月|二月|三月|四月|五月|六月|七月|八月|九月|十月|十一月|十二月",
        days="月曜日|火曜日|水曜日|木曜日|金曜日|土曜日|日曜日",
    ),
    "ko": Names(
        months="1월|2월|3월|4월|5월|6월|7월|8월|9월|10월|11월|12월",
        months_alone="一月|二月|三月|四月|五月|六月|七月|八月|九月|十月|十一月|十二月",
        days="월요일|화요일|수요일|목요일|금요일|토요일|일요일",
    ),
    "sv": Names(
        months="januari|februari|mars|april|maj|juni|juli|augusti|september|oktober|november|december",
        months_alone="一月|二月|三月|四月|五月|六月|七月|八月|九月|十月|十一月|十二月",
        days="måndag|tisdag|onsdag|torsdag|fredag|lördag|söndag",
    ),
    "da": Names(
        months="januar|februar|marts|april|maj|juni|juli|august|september|oktober|november|december",
        months_alone="一月|二月|三月|四月|五月|六月|七月|八月|九月|十月|十一月|十二月",
        days="mandag|tirsdag|onsdag|torsdag|fredag|lørdag|søndag",
    ),
    "nb": Names(
        months="januar|februar|mars|april|mai|juni|juli|august|september|oktober|november|desember",
        months_alone="一月|二月|三月|四月|五月|六月|七月|八月|九月|十月|十一月|十二月",
        days="mandag|tirsdag|onsdag|torsdag|fredag|lørdag|søndag",
    ),
    "fi": Names(
        months="tammikuuta|helmikuuta|maaliskuuta|huhtikuuta|toukokuuta|kesäkuuta|heinäkuuta|elokuuta|syyskuuta|lokakuuta|marraskuuta|joulukuuta",
        months_alone="tammikuu|helmikuu|maaliskuu|huhtikuu|toukokuu|kesäkuu|heinäkuu|elokuu|syyskuu|lokakuu|marraskuu|joulukuu",
        days="maanantaina|tiistaina|keskiviikkona|torstaina|perjantaina|lauantaina|sunnuntai",
    ),
    "cs": Names(
        months="ledna|února|března|dubna|května|června|července|srpna|září|října|listopadu|prosince",
        months_alone="leden|únor|březen|duben|květen|červen|červenec|srpen|září|říjen|listopad|prosinec",
        days="pondělí|úterý|středa|čtvrtek|pátek|sobota|neděle",
    ),
    "sk": Names(
        months="januára|februára|marca|apríla|mája|júna|júla|augusta|septembra|októbra|novembra|decembra",
        months_alone="január|február|marec|apríl|máj|jún|júl|august|september|október|november|december",
        days="pondelok|utorok|streda|štvrtok|piatok|sobota|nedeľa",
    ),
    "sl": Names(
        months="januar|februar|marec|april|maj|junij|julij|avgust|september|oktober|november|december",
        months_alone="一月|二月|三月|四月|五月|六月|七月|八月|九月|十月|十一月|十二月",
        days="ponedeljek|torek|sreda|četrtek|petek|sobota|nedelja",
    ),
    "hr": Names(
        months="siječnja|veljače|ožujka|travnja|svibnja|lipnja|srpnja|kolovoza|rujna|listopada|studenoga|prosinca",
        months_alone="siječanj|veljača|ožujak|travanj|svibanj|lipanj|srpanj|kolovoz|rujan|listopad|studeni|prosinac",
        days="ponedjeljak|utorak|srijeda|četvrtak|petak|subota|nedjelja",
    ),
    "sr": Names(
        months="јануар|фебруар|март|април|мај|јун|јул|август|септембар|октобар|новембар|децембар",
        months_alone="一月|二月|三月|四月|五月|六月|七月|八月|九月|十月|十一月|十二月",
        days="понедељак|уторак|среда|четвртак|петак|субота|недеља",
    ),
    "bg": Names(
        months="януари|февруари|март|април|май|юни|юли|август|септември|октомври|ноември|декември",
        months_alone="一月|二月|三月|四月|五月|六月|七月|八月|九月|十月|十一月|十二月",
        days="понеделник|вторник|сряда|четвъртък|петък|събота|неделя",
    ),
    "uk": Names(
        months="січня|лютого|березня|квітня|травня|червня|липня|серпня|вересня|жовтня|листопада|грудня",
        months_alone="січень|лютий|березень|квітень|травень|червень|липень|серпень|вересень|жовтень|листопад|грудень",
        days="понеділок|вівторок|середа|четвер|пʼятниця|субота|неділя",
    ),
    "ro": Names(
        months="ianuarie|februarie|martie|aprilie|mai|iunie|iulie|august|septembrie|octombrie|noiembrie|decembrie",
        months_alone="一月|二月|三月|四月|五月|六月|七月|八月|九月|十月|十一月|十二月",
        days="luni|marți|miercuri|joi|vineri|sâmbătă|duminică",
    ),
    "hu": Names(
        months="január|február|március|április|május|június|július|augusztus|szeptember|október|november|december",
        months_alone="一月|二月|三月|四月|五月|六月|七月|八月|九月|十月|十一月|十二月",
        days="hétfő|kedd|szerda|csütörtök|péntek|szombat|vasárnap",
    ),
    "el": Names(
        months="Ιανουαρίου|Φεβρουαρίου|Μαρτίου|Απριλίου|Μαΐου|Ιουνίου|Ιουλίου|Αυγούστου|Σεπτεμβρίου|Οκτωβρίου|Νοεμβρίου|Δεκεμβρίου",
        months_alone="Ιανουάριος|Φεβρουάριος|Μάρτιος|Απρίλιος|Μάιος|Ιούνιος|Ιούλιος|Αύγουστος|Σεπτέμβριος|Οκτώβριος|Νοέμβριος|Δεκέμβριος",
        days="Δευτέρα|Τρίτη|Τετάρτη|Πέμπτη|Παρασκευή|Σάββατο|Κυριακή",
    ),
    "he": Names(
        months="ינואר|פברואר|מרץ|אפריל|מאי|יוני|יולי|אוגוסט|ספטמבר|אוקטובר|נובמבר|דצמבר",
        months_alone="一月|二月|三月|四月|五月|六月|七月|八月|九月|十月|十一月|十二月",
        days="יום שני|יום שלישי|יום רביעי|יום חמישי|יום שישי|יום שבת|יום ראשון",
    ),
    "fa": Names(
        months="ژانویهٔ|فوریهٔ|مارس|آوریل|مهٔ|ژوئن|ژوئیهٔ|اوت|سپتامبر|اکتبر|نوامبر|دسامبر",
        months_alone="ژانویه|فوریه|مارس|آوریل|مه|ژوئن|ژوئیه|اوت|سپتامبر|اکتبر|نوامبر|دسامبر",
        days="دوشنبه|سه\u200cشنبه|چهارشنبه|پنجشنبه|جمعه|شنبه|یکشنبه",
    ),
    "th": Names(
        months="มกราคม|กุมภาพันธ์|มีนาคม|เมษายน|พฤษภาคม|มิถุนายน|กรกฎาคม|สิงหาคม|กันยายน|ตุลาคม|พฤศจิกายน|ธันวาคม",
        months_alone="一月|二月|三月|四月|五月|六月|七月|八月|九月|十月|十一月|十二月",
        days="วันจันทร์|วันอังคาร|วันพุธ|วันพฤหัสบดี|วันศุกร์|วันเสาร์|วันอาทิตย์",
    ),
    "vi": Names(
        months="tháng 1|tháng 2|tháng 3|tháng 4|tháng 5|tháng 6|tháng 7|tháng 8|tháng 9|tháng 10|tháng 11|tháng 12",
        months_alone="Tháng 1|Tháng 2|Tháng 3|Tháng 4|Tháng 5|Tháng 6|Tháng 7|Tháng 8|Tháng 9|Tháng 10|Tháng 11|Tháng 12",
        days="Thứ Hai|Thứ Ba|Thứ Tư|Thứ Năm|Thứ Sáu|Thứ Bảy|Chủ Nhật",
    ),
    "id": Names(
        months="Januari|Februari|Maret|April|Mei|Juni|Juli|Agustus|September|Oktober|November|Desember",
        months_alone="一月|二月|三月|四月|五月|六月|七月|八月|九月|十月|十一月|十二月",
        days="Senin|Selasa|Rabu|Kamis|Jumat|Sabtu|Minggu",
    ),
    "ms": Names(
        months="Januari|Februari|Mac|April|Mei|Jun|Julai|Ogos|September|Oktober|November|Disember",
        months_alone="一月|二月|三月|四月|五月|六月|七月|八月|九月|十月|十一月|十二月",
        days="Isnin|Selasa|Rabu|Khamis|Jumaat|Sabtu|Ahad",
    ),
    "ca": Names(
        months="de gener|de febrer|de març|d’abril|de maig|de juny|de juliol|d’agost|de setembre|d’octubre|de novembre|de desembre",
        months_alone="gener|febrer|març|abril|maig|juny|juliol|agost|setembre|octubre|novembre|desembre",
        days="dilluns|dimarts|dimecres|dijous|divendres|dissabte|diumenge",
    ),
    "eu": Names(
        months="urtarrila|otsaila|martxoa|apirila|maiatza|ekaina|uztaila|abuztua|iraila|urria|azaroa|abendua",
        months_alone="一月|二月|三月|四月|五月|六月|七月|八月|九月|十月|十一月|十二月",
        days="astelehena|asteartea|asteazkena|osteguna|ostirala|larunbata|igandea",
    ),
    "lt": Names(
        months="sausio|vasario|kovo|balandžio|gegužės|birželio|liepos|rugpjūčio|rugsėjo|spalio|lapkričio|gruodžio",
        months_alone="sausis|vasaris|kovas|balandis|gegužė|birželis|liepa|rugpjūtis|rugsėjis|spalis|lapkritis|gruodis",
        days="pirmadienis|antradienis|trečiadienis|ketvirtadienis|penktadienis|šeštadienis|sekmadienis",
    ),
    "lv": Names(
        months="janvāris|februāris|marts|aprīlis|maijs|jūnijs|jūlijs|augusts|septembris|oktobris|novembris|decembris",
        months_alone="一月|二月|三月|四月|五月|六月|七月|八月|九月|十月|十一月|十二月",
        days="pirmdiena|otrdiena|trešdiena|ceturtdiena|piektdiena|sestdiena|svētdiena",
    ),
    "et": Names(
        months="jaanuar|veebruar|märts|aprill|mai|juuni|juuli|august|september|oktoober|november|detsember",
        months_alone="一月|二月|三月|四月|五月|六月|七月|八月|九月|十月|十一月|十二月",
        days="esmaspäev|teisipäev|kolmapäev|neljapäev|reede|laupäev|pühapäev",
    ),
    "hy": Names(
        months="հունվարի|փետրվարի|մարտի|ապրիլի|մայիսի|հունիսի|հուլիսի|օգոստոսի|սեպտեմբերի|հոկտեմբերի|նոյեմբերի|դեկտեմբերի",
        months_alone="հունվար|փետրվար|մարտ|ապրիլ|մայիս|հունիս|հուլիս|օգոստոս|սեպտեմբեր|հոկտեմբեր|նոյեմբեր|դեկտեմբեր",
        days="երկուշաբթի|երեքշաբթի|չորեքշաբթի|հինգշաբթի|ուրբաթ|շաբաթ|կիրակի",
    ),
    "bn": Names(
        months="জানুয়ারী|ফেব্রুয়ারী|মার্চ|এপ্রিল|মে|জুন|জুলাই|আগস্ট|সেপ্টেম্বর|অক্টোবর|নভেম্বর|ডিসেম্বর",
        months_alone="一月|二月|三月|四月|五月|六月|七月|八月|九月|十月|十一月|十二月",
        days="সোমবার|মঙ্গলবার|বুধবার|বৃহস্পতিবার|শুক্রবার|শনিবার|রবিবার",
    ),
    "ur": Names(
        months="جنوری|فروری|مارچ|اپریل|مئی|جون|جولائی|اگست|ستمبر|اکتوبر|نومبر|دسمبر",
        months_alone="一月|二月|三月|四月|五月|六月|七月|八月|九月|十月|十一月|十二月",
        days="پیر|منگل|بدھ|جمعرات|جمعہ|ہفتہ|اتوار",
    ),
    "ta": Names(
        months="ஜனவரி|பிப்ரவரி|மார்ச்|ஏப்ரல்|மே|ஜூன்|ஜூலை|ஆகஸ்ட்|செப்டம்பர்|அக்டோபர்|நவம்பர்|டிசம்பர்",
        months_alone="一月|二月|三月|四月|五月|六月|七月|八月|九月|十月|十一月|十二月",
        days="திங்கள்|செவ்வாய்|புதன்|வியாழன்|வெள்ளி|சனி|ஞாயிறு",
    ),
    "sw": Names(
        months="Januari|Februari|Machi|Aprili|Mei|Juni|Julai|Agosti|Septemba|Oktoba|Novemba|Desemba",
        months_alone="一月|二月|三月|四月|五月|六月|七月|八月|九月|十月|十一月|十二月",
        days="Jumatatu|Jumanne|Jumatano|Alhamisi|Ijumaa|Jumamosi|Jumapili",
    ),
    "af": Names(
        months="Januarie|Februarie|Maart|April|Mei|Junie|Julie|Augustus|September|Oktober|November|Desember",
        months_alone="一月|二月|三月|四月|五月|六月|七月|八月|九月|十月|十一月|十二月",
        days="Maandag|Dinsdag|Woensdag|Donderdag|Vrydag|Saterdag|Sondag",
    ),
    "is": Names(
        months="janúar|febrúar|mars|apríl|maí|júní|júlí|ágúst|september|október|nóvember|desember",
        months_alone="一月|二月|三月|四月|五月|六月|七月|八月|九月|十月|十一月|十二月",
        days="mánudagur|þriðjudagur|miðvikudagur|fimmtudagur|föstudagur|laugardagur|sunnudagur",
    ),
}
