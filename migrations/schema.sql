-- The whole schema as it is today. It makes a new database; migrations change an existing one.
-- `make schema` writes this file anew after a new migration.
-- Every table stands below those that it refers to, followed by its indexes, triggers and policies.

SET LOCAL check_function_bodies = false; -- functions stand above the tables that they read

-- The policies name this role. It belongs to the server, and may be there for another database.
DO $$
BEGIN
    IF NOT EXISTS (SELECT FROM pg_roles WHERE rolname = 'throughline_upkeep') THEN
        CREATE ROLE throughline_upkeep NOLOGIN;
    END IF;
EXCEPTION
    WHEN duplicate_object OR unique_violation THEN NULL; -- another migration was quicker
    WHEN insufficient_privilege THEN
        RAISE insufficient_privilege USING MESSAGE =
            'Create the role first: CREATE ROLE throughline_upkeep NOLOGIN';
END $$;

CREATE EXTENSION IF NOT EXISTS vector WITH SCHEMA public;

CREATE FUNCTION fold(said text) RETURNS text
    LANGUAGE plpgsql IMMUTABLE STRICT PARALLEL SAFE
    AS $$
        DECLARE
            plain text := said;
        BEGIN
            IF said !~ '[^\x01-\x7f]' THEN
                RETURN lower(said);
            END IF;
            plain := regexp_replace(normalize(said, NFKD), '(?<![\u0418\u0438])\u0306|[\u0300-\u0305\u0307-\u036f\u1ab0-\u1aff\u1dc0-\u1dff\u20d0-\u20ff\ufe20-\ufe2f\u0483-\u0487\u0591-\u05bd\u05bf\u05c1\u05c2\u05c4\u05c5\u05c7\u0610-\u061a\u064b-\u065f\u0670\u06d6-\u06dc\u06df-\u06e4\u06e7\u06e8\u06ea-\u06ed\u0640\u00ad\u200b-\u200f\u202a-\u202e\u2060-\u2069\ufeff\ufe00-\ufe0f\U000e0100-\U000e01ef]', '', 'g');
            plain := translate(lower(normalize(plain, NFC)),
                               'øłđðħıςٱىیةکہە‐‑−־’‘ʼʻ٠١٢٣٤٥٦٧٨٩۰۱۲۳۴۵۶۷۸۹߀߁߂߃߄߅߆߇߈߉०१२३४५६७८९০১২৩৪৫৬৭৮৯੦੧੨੩੪੫੬੭੮੯૦૧૨૩૪૫૬૭૮૯୦୧୨୩୪୫୬୭୮୯௦௧௨௩௪௫௬௭௮௯౦౧౨౩౪౫౬౭౮౯೦೧೨೩೪೫೬೭೮೯൦൧൨൩൪൫൬൭൮൯๐๑๒๓๔๕๖๗๘๙໐໑໒໓໔໕໖໗໘໙༠༡༢༣༤༥༦༧༨༩၀၁၂၃၄၅၆၇၈၉០១២៣៤៥៦៧៨៩', 'olddhiσاييهكهه----''''''''01234567890123456789012345678901234567890123456789012345678901234567890123456789012345678901234567890123456789012345678901234567890123456789012345678901234567890123456789');
            plain := replace(replace(replace(replace(plain, 'ß', 'ss'), 'æ', 'ae'), 'œ', 'oe'), 'þ', 'th');
            IF plain ~ '[丟並乾亂亙亞佇佈佔併來侖侶侷俁係俔俠俥俬倀倆倈倉個們倖倫倲偉偑側偵偽傌傑傖傘備傢傭傯傳傴債傷傾僂僅僉僑僕僞僥僨僱價儀儁儂億儈儉儎儐儔儕儘償優儲儷儸儺儻儼兇兌兒兗內兩冊冑冪凈凍凜凱別刪剄則剋剎剗剛剝剮剴創剷劃劄劇劉劊劌劍劏劑劚勁動務勛勝勞勢勩勱勳勵勸勻匭匯匱區協卹卻卽厙厠厤厭厲厴參叄叢吒吳吶呂咼員唄唸問啓啞啟啢喎喚喪喫喬單喲嗆嗇嗊嗎嗚嗩嗶嘆嘍嘓嘔嘖嘗嘜嘩嘮嘯嘰嘵嘸嘽噁噓噚噝噠噥噦噯噲噴噸噹嚀嚇嚌嚐嚕嚙嚥嚦嚨嚮嚲嚳嚴嚶囀囁囂囅囈囉囌囑囪圇國圍園圓圖團垻埡埰執堅堊堖堝堯報場塊塋塏塒塗塚塢塤塵塹墊墜墮墰墳墶墻墾壇壋壎壓壘壙壚壜壞壟壠壢壩壪壯壺壼壽夠夢夥夾奐奧奩奪奬奮奼妝姍姦娛婁婦婭媧媯媰媼媽嫋嫗嫵嫺嫻嫿嬀嬃嬈嬋嬌嬙嬡嬤嬪嬰嬸孃孋孌孫學孿宮寀寢實寧審寫寬寵寶將專尋對導尷屆屍屓屜屢層屨屬岡峯峴島峽崍崑崗崙崢崬嵐嵗嵾嶁嶄嶇嶔嶗嶠嶢嶧嶨嶮嶸嶺嶼嶽巋巒巔巖巰巹帥師帳帶幀幃幓幗幘幟幣幫幬幷幹幾庫廁廂廄廈廎廕廚廝廟廠廡廢廣廩廬廳弒弔弳張強彆彈彌彎彔彙彠彥彫彲彿後徑從徠復徵徹恆恥悅悞悵悶悽惡惱惲惻愛愜愨愴愷愾慄態慍慘慚慟慣慤慪慫慮慳慶慺慼慾憂憊憐憑憒憖憚憤憫憮憲憶懇應懌懍懞懟懣懤懨懲懶懷懸懺懼懾戀戇戔戧戩戰戱戲戶扞拋拚挩挱挾捨捫捱捲掃掄掆掗掙掛採揀揚換揮揯損搖搗搧搵搶摑摜摟摯摳摶摺摻撈撏撐撓撝撟撣撥撫撲撳撻撾撿擁擄擇擊擋擓擔據擠擡擣擬擯擰擱擲擴擷擺擻擼擽擾攄攆攏攔攖攙攛攜攝攢攣攤攪攬敎敓敗敘敵數斂斃斆斕斬斷於旂旣昇時晉晝暈暉暘暢暫曄曆曇曉曏曖曠曨曬書會朧朮東枴柵柺査桿梔梘條梟梲棄棊棖棗棟棡棧棲棶椏椲楊楓楨業極榘榦榪榮榲榿構槍槓槤槧槨槮槳槶槼樁樂樅樑樓標樞樢樣樧樫樳樸樹樺樿橈橋機橢橫檁檉檔檜檟檢檣檮檯檳檸檻櫃櫓櫚櫛櫝櫞櫟櫥櫧櫨櫪櫫櫬櫱櫳櫸櫻欄欅權欏欒欖欞欽歎歐歟歡歲歷歸歿殘殞殤殨殫殭殮殯殰殲殺殻殼毀毆毿氂氈氌氣氫氬氳氾汎汙決沒沖況泝洩洶浹涇涗涼淒淚淥淨淩淪淵淶淺渙減渢渦測渾湊湞湧湯溈準溝溫溮溳溼滄滅滌滎滙滬滯滲滷滸滻滾滿漁漊漚漢漣漬漲漵漸漿潁潑潔潙潚潛潤潯潰潷潿澀澆澇澐澗澠澤澦澩澮澱澾濁濃濄濕濘濚濛濜濟濤濧濫濰濱濺濼濾瀂瀅瀆瀇瀉瀋瀏瀕瀘瀝瀟瀠瀦瀧瀨瀰瀲瀾灃灄灑灕灘灝灡灣灤灧灩災為烏烴無煉煒煙煢煥煩煬煱熅熒熗熱熲熾燁燈燉燒燙燜營燦燬燭燴燶燻燼燾爍爐爛爭爲爺爾牀牆牘牴牽犖犛犢犧狀狹狽猙猶猻獁獃獄獅獎獨獪獫獮獰獱獲獵獷獸獺獻獼玀現琱琺琿瑋瑒瑣瑤瑩瑪瑲璉璡璣璦璫璯環璵璸璽璿瓊瓏瓔瓚甌甕產産畝畢畫異畵當疇疊痙痠痾瘂瘋瘍瘓瘞瘡瘧瘮瘲瘺瘻療癆癇癉癒癘癟癡癢癤癥癧癩癬癭癮癰癱癲發皁皚皰皸皺盃盜盞盡監盤盧盪眞眥眾睏睜睞瞘瞜瞞瞶瞼矇矓矚矯硃硜硤硨硯碕碩碭碸確碼碽磑磚磠磣磧磯磽磾礄礎礙礦礪礫礬礱祕祿禍禎禕禡禦禪禮禰禱禿秈稅稈稏稜稟種稱穀穇穌積穎穠穡穢穩穫穭窩窪窮窯窵窶窺竄竅竇竈竊竪競筆筍筧筴箇箋箏箚節範築篋篔篠篤篩篳簀簍簑簞簡簣簫簹簽簾籃籌籔籙籛籜籟籠籤籩籪籬籮籲粵糉糝糞糧糰糲糴糶糹糾紀紂約紅紆紇紈紉紋納紐紓純紕紖紗紘紙級紛紜紝紡紬紮細紱紲紳紵紹紺紼紿絀終絃組絅絆絎結絕絛絝絞絡絢給絨絰統絲絳絶絹綁綃綆綈綉綌綏綐綑經綜綞綠綢綣綫綬維綯綰綱網綳綴綵綸綹綺綻綽綾綿緄緇緊緋緑緒緓緔緗緘緙線緝緞締緡緣緦編緩緬緯緱緲練緶緹緻緼縈縉縊縋縐縑縕縗縛縝縞縟縣縧縫縭縮縱縲縳縴縵縶縷縹總績繃繅繆繒織繕繚繞繡繢繩繪繫繭繮繯繰繳繸繹繼繽繾繿纇纈纊續纍纏纓纔纖纘纜缽罃罈罌罎罰罵罷羅羆羈羋羣羥羨義羶習翫翬翹翽耬耮聖聞聯聰聲聳聵聶職聹聽聾肅脅脈脛脣脩脫脹腎腖腡腦腫腳腸膃膕膚膞膠膩膽膾膿臉臍臏臘臚臟臠臢臥臨臺與興舉舊舖舘艙艤艦艫艱艷芻苧茲荊莊莖莢莧華菴菸萇萊萬萴萵葉葒葤葦葯葷蒐蒓蒔蒕蒞蒼蓀蓆蓋蓮蓯蓴蓽蔔蔘蔞蔣蔥蔦蔭蕁蕆蕎蕒蕓蕕蕘蕢蕩蕪蕭蕷薀薈薊薌薑薔薘薟薦薩薳薴薵薹薺藍藎藝藥藪藭藴藶藹藺蘀蘄蘆蘇蘊蘋蘚蘞蘢蘭蘺蘿虆處虛虜號虧虯蛺蛻蜆蝕蝟蝦蝨蝸螄螞螢螮螻螿蟄蟈蟎蟣蟬蟯蟲蟶蟻蠁蠅蠆蠍蠐蠑蠔蠟蠣蠨蠱蠶蠻衆衊術衕衚衛衝袞袷裊裏補裝裡製複褌褘褲褳褸褻襇襉襏襖襝襠襤襪襬襯襲襴覈見覎規覓視覘覡覥覦親覬覯覲覷覺覽覿觀觴觶觸訁訂訃計訊訌討訐訒訓訕訖託記訛訝訟訢訣訥訩訪設許訴訶診註証詁詆詎詐詒詔評詖詗詘詛詞詠詡詢詣試詩詫詬詭詮詰話該詳詵詼詿誄誅誆誇誌認誑誒誕誘誚語誠誡誣誤誥誦誨說説誰課誶誹誼誾調諂諄談諉請諍諏諑諒論諗諛諜諝諞諡諢諤諦諧諫諭諮諱諳諶諷諸諺諼諾謀謁謂謄謅謊謎謐謔謖謗謙謚講謝謠謡謨謫謬謭謳謹謾譁證譎譏譖識譙譚譜譟譫譭譯議譴護譸譽譾讀讅變讋讌讎讒讓讕讖讚讜讞谿豈豎豐豔豬豶貍貓貙貝貞貟負財貢貧貨販貪貫責貯貰貲貳貴貶買貸貺費貼貽貿賀賁賂賃賄賅資賈賊賑賒賓賕賙賚賜賞賠賡賢賣賤賦賧質賫賬賭賰賴賵賺賻購賽賾贄贅贇贈贊贋贍贏贐贓贔贖贗贛贜赬趕趙趨趲跡踐踰踴蹌蹕蹟蹠蹣蹤蹺躂躉躊躋躍躎躑躒躓躕躚躡躥躦躪軀車軋軌軍軑軒軔軛軟軤軫軲軸軹軺軻軼軾較輅輇輈載輊輒輓輔輕輛輜輝輞輟輥輦輩輪輬輯輳輸輻輼輾輿轀轂轄轅轆轉轍轎轔轟轡轢轤辦辭辮辯農迴逕這連週進遊運過達違遙遜遞遠遡適遲遶遷選遺遼邁還邇邊邏邐郟郵鄆鄉鄒鄔鄖鄧鄭鄰鄲鄴鄶鄺酇酈醃醖醜醞醟醣醫醬醱釀釁釃釅釋釐釒釓釔釕釗釘釙針釣釤釦釧釩釵釷釹釺釾鈀鈁鈃鈄鈅鈈鈉鈍鈎鈐鈑鈒鈔鈕鈞鈡鈣鈥鈦鈧鈮鈰鈳鈴鈷鈸鈹鈺鈽鈾鈿鉀鉅鉆鉈鉉鉋鉍鉑鉕鉗鉚鉛鉞鉢鉤鉦鉬鉭鉳鉶鉸鉺鉻鉿銀銃銅銍銑銓銖銘銚銛銜銠銣銥銦銨銩銪銫銬銱銳銷銹銻銼鋁鋃鋅鋇鋌鋏鋒鋙鋝鋟鋣鋤鋥鋦鋨鋩鋪鋭鋮鋯鋰鋱鋶鋸鋼錁錄錆錇錈錏錐錒錕錘錙錚錛錟錠錡錢錦錨錩錫錮錯録錳錶錸錼鍀鍁鍃鍅鍆鍇鍈鍊鍋鍍鍔鍘鍚鍛鍠鍤鍥鍩鍬鍰鍵鍶鍺鍼鍾鎂鎄鎇鎊鎌鎔鎖鎘鎚鎛鎡鎢鎣鎦鎧鎩鎪鎬鎭鎮鎰鎲鎳鎵鎶鎸鎿鏃鏇鏈鏌鏍鏐鏑鏗鏘鏜鏝鏞鏟鏡鏢鏤鏨鏰鏵鏷鏹鏺鏽鐃鐋鐐鐒鐓鐔鐘鐙鐝鐠鐥鐦鐧鐨鐫鐮鐯鐲鐳鐵鐶鐸鐺鐿鑄鑊鑌鑑鑒鑔鑕鑞鑠鑣鑥鑭鑰鑱鑲鑷鑹鑼鑽鑾鑿钁钂長門閂閃閆閈閉開閌閎閏閑閒間閔閘閡閣閤閥閨閩閫閬閭閱閲閶閹閻閼閽閾閿闃闆闇闈闊闋闌闍闐闒闓闔闕闖關闞闠闡闢闤闥陘陝陞陣陰陳陸陽隉隊階隕際隨險隯隱隴隸隻雋雖雙雛雜雞離難雲電霑霢霧霽靂靄靆靈靉靚靜靝靦靨鞏鞝鞦鞽韁韃韆韉韋韌韍韓韙韜韝韞韻響頁頂頃項順頇須頊頌頎頏預頑頒頓頗領頜頡頤頦頭頮頰頲頴頷頸頹頻頽顆題額顎顏顒顓顔願顙顛類顢顥顧顫顬顯顰顱顳顴風颭颮颯颱颳颶颸颺颻颼飀飄飆飈飛飠飢飣飥飩飪飫飭飯飱飲飴飼飽飾飿餃餄餅餈餉養餌餎餏餑餒餓餕餖餘餚餛餜餞餡館餬餱餳餵餶餷餺餼餾餿饁饃饅饈饉饊饋饌饑饒饗饜饞饢馬馭馮馱馳馴馹駁駐駑駒駔駕駘駙駛駝駟駡駢駭駰駱駸駿騁騂騅騌騍騎騏騖騙騤騧騫騭騮騰騶騷騸騾驀驁驂驃驄驅驊驌驍驏驕驗驚驛驟驢驤驥驦驪驫骯髏髒體髕髖髮鬆鬍鬚鬢鬥鬧鬨鬩鬮鬱鬹魎魘魚魛魢魨魯魴魷魺鮁鮃鮊鮋鮍鮎鮐鮑鮒鮓鮚鮜鮝鮞鮣鮦鮪鮫鮭鮮鮳鮶鮺鯀鯁鯇鯉鯊鯒鯔鯕鯖鯗鯛鯝鯡鯢鯤鯧鯨鯪鯫鯰鯴鯷鯽鯿鰁鰂鰃鰆鰈鰉鰌鰍鰏鰐鰒鰓鰛鰜鰟鰠鰣鰥鰧鰨鰩鰭鰮鰱鰲鰳鰵鰷鰹鰺鰻鰼鰾鱂鱅鱈鱉鱒鱔鱖鱗鱘鱝鱟鱠鱣鱤鱧鱨鱭鱯鱷鱸鱺鳥鳧鳩鳬鳲鳳鳴鳶鳾鴆鴇鴉鴒鴕鴛鴝鴞鴟鴣鴦鴨鴯鴰鴴鴷鴻鴿鵁鵂鵃鵐鵑鵒鵓鵜鵝鵠鵡鵪鵬鵮鵯鵰鵲鵷鵾鶄鶇鶉鶊鶓鶖鶘鶚鶡鶥鶩鶪鶬鶯鶲鶴鶹鶺鶻鶼鶿鷀鷁鷂鷄鷉鷊鷓鷖鷗鷙鷚鷥鷦鷫鷯鷲鷳鷴鷸鷹鷺鷽鸂鸇鸊鸌鸏鸕鸘鸚鸛鸝鸞鹵鹹鹺鹼鹽麗麥麩麪麫麯麴麵麼麽黃黌點黨黲黴黶黷黽黿鼂鼉鼕鼴齊齋齎齏齒齔齕齗齙齜齟齠齡齣齦齧齪齬齲齶齷龍龎龐龑龔龕龜鿁鿓]' THEN
                SELECT string_agg(coalesce(jsonb_object(
                           string_to_array('丟並乾亂亙亞佇佈佔併來侖侶侷俁係俔俠俥俬倀倆倈倉個們倖倫倲偉偑側偵偽傌傑傖傘備傢傭傯傳傴債傷傾僂僅僉僑僕僞僥僨僱價儀儁儂億儈儉儎儐儔儕儘償優儲儷儸儺儻儼兇兌兒兗內兩冊冑冪凈凍凜凱別刪剄則剋剎剗剛剝剮剴創剷劃劄劇劉劊劌劍劏劑劚勁動務勛勝勞勢勩勱勳勵勸勻匭匯匱區協卹卻卽厙厠厤厭厲厴參叄叢吒吳吶呂咼員唄唸問啓啞啟啢喎喚喪喫喬單喲嗆嗇嗊嗎嗚嗩嗶嘆嘍嘓嘔嘖嘗嘜嘩嘮嘯嘰嘵嘸嘽噁噓噚噝噠噥噦噯噲噴噸噹嚀嚇嚌嚐嚕嚙嚥嚦嚨嚮嚲嚳嚴嚶囀囁囂囅囈囉囌囑囪圇國圍園圓圖團垻埡埰執堅堊堖堝堯報場塊塋塏塒塗塚塢塤塵塹墊墜墮墰墳墶墻墾壇壋壎壓壘壙壚壜壞壟壠壢壩壪壯壺壼壽夠夢夥夾奐奧奩奪奬奮奼妝姍姦娛婁婦婭媧媯媰媼媽嫋嫗嫵嫺嫻嫿嬀嬃嬈嬋嬌嬙嬡嬤嬪嬰嬸孃孋孌孫學孿宮寀寢實寧審寫寬寵寶將專尋對導尷屆屍屓屜屢層屨屬岡峯峴島峽崍崑崗崙崢崬嵐嵗嵾嶁嶄嶇嶔嶗嶠嶢嶧嶨嶮嶸嶺嶼嶽巋巒巔巖巰巹帥師帳帶幀幃幓幗幘幟幣幫幬幷幹幾庫廁廂廄廈廎廕廚廝廟廠廡廢廣廩廬廳弒弔弳張強彆彈彌彎彔彙彠彥彫彲彿後徑從徠復徵徹恆恥悅悞悵悶悽惡惱惲惻愛愜愨愴愷愾慄態慍慘慚慟慣慤慪慫慮慳慶慺慼慾憂憊憐憑憒憖憚憤憫憮憲憶懇應懌懍懞懟懣懤懨懲懶懷懸懺懼懾戀戇戔戧戩戰戱戲戶扞拋拚挩挱挾捨捫捱捲掃掄掆掗掙掛採揀揚換揮揯損搖搗搧搵搶摑摜摟摯摳摶摺摻撈撏撐撓撝撟撣撥撫撲撳撻撾撿擁擄擇擊擋擓擔據擠擡擣擬擯擰擱擲擴擷擺擻擼擽擾攄攆攏攔攖攙攛攜攝攢攣攤攪攬敎敓敗敘敵數斂斃斆斕斬斷於旂旣昇時晉晝暈暉暘暢暫曄曆曇曉曏曖曠曨曬書會朧朮東枴柵柺査桿梔梘條梟梲棄棊棖棗棟棡棧棲棶椏椲楊楓楨業極榘榦榪榮榲榿構槍槓槤槧槨槮槳槶槼樁樂樅樑樓標樞樢樣樧樫樳樸樹樺樿橈橋機橢橫檁檉檔檜檟檢檣檮檯檳檸檻櫃櫓櫚櫛櫝櫞櫟櫥櫧櫨櫪櫫櫬櫱櫳櫸櫻欄欅權欏欒欖欞欽歎歐歟歡歲歷歸歿殘殞殤殨殫殭殮殯殰殲殺殻殼毀毆毿氂氈氌氣氫氬氳氾汎汙決沒沖況泝洩洶浹涇涗涼淒淚淥淨淩淪淵淶淺渙減渢渦測渾湊湞湧湯溈準溝溫溮溳溼滄滅滌滎滙滬滯滲滷滸滻滾滿漁漊漚漢漣漬漲漵漸漿潁潑潔潙潚潛潤潯潰潷潿澀澆澇澐澗澠澤澦澩澮澱澾濁濃濄濕濘濚濛濜濟濤濧濫濰濱濺濼濾瀂瀅瀆瀇瀉瀋瀏瀕瀘瀝瀟瀠瀦瀧瀨瀰瀲瀾灃灄灑灕灘灝灡灣灤灧灩災為烏烴無煉煒煙煢煥煩煬煱熅熒熗熱熲熾燁燈燉燒燙燜營燦燬燭燴燶燻燼燾爍爐爛爭爲爺爾牀牆牘牴牽犖犛犢犧狀狹狽猙猶猻獁獃獄獅獎獨獪獫獮獰獱獲獵獷獸獺獻獼玀現琱琺琿瑋瑒瑣瑤瑩瑪瑲璉璡璣璦璫璯環璵璸璽璿瓊瓏瓔瓚甌甕產産畝畢畫異畵當疇疊痙痠痾瘂瘋瘍瘓瘞瘡瘧瘮瘲瘺瘻療癆癇癉癒癘癟癡癢癤癥癧癩癬癭癮癰癱癲發皁皚皰皸皺盃盜盞盡監盤盧盪眞眥眾睏睜睞瞘瞜瞞瞶瞼矇矓矚矯硃硜硤硨硯碕碩碭碸確碼碽磑磚磠磣磧磯磽磾礄礎礙礦礪礫礬礱祕祿禍禎禕禡禦禪禮禰禱禿秈稅稈稏稜稟種稱穀穇穌積穎穠穡穢穩穫穭窩窪窮窯窵窶窺竄竅竇竈竊竪競筆筍筧筴箇箋箏箚節範築篋篔篠篤篩篳簀簍簑簞簡簣簫簹簽簾籃籌籔籙籛籜籟籠籤籩籪籬籮籲粵糉糝糞糧糰糲糴糶糹糾紀紂約紅紆紇紈紉紋納紐紓純紕紖紗紘紙級紛紜紝紡紬紮細紱紲紳紵紹紺紼紿絀終絃組絅絆絎結絕絛絝絞絡絢給絨絰統絲絳絶絹綁綃綆綈綉綌綏綐綑經綜綞綠綢綣綫綬維綯綰綱網綳綴綵綸綹綺綻綽綾綿緄緇緊緋緑緒緓緔緗緘緙線緝緞締緡緣緦編緩緬緯緱緲練緶緹緻緼縈縉縊縋縐縑縕縗縛縝縞縟縣縧縫縭縮縱縲縳縴縵縶縷縹總績繃繅繆繒織繕繚繞繡繢繩繪繫繭繮繯繰繳繸繹繼繽繾繿纇纈纊續纍纏纓纔纖纘纜缽罃罈罌罎罰罵罷羅羆羈羋羣羥羨義羶習翫翬翹翽耬耮聖聞聯聰聲聳聵聶職聹聽聾肅脅脈脛脣脩脫脹腎腖腡腦腫腳腸膃膕膚膞膠膩膽膾膿臉臍臏臘臚臟臠臢臥臨臺與興舉舊舖舘艙艤艦艫艱艷芻苧茲荊莊莖莢莧華菴菸萇萊萬萴萵葉葒葤葦葯葷蒐蒓蒔蒕蒞蒼蓀蓆蓋蓮蓯蓴蓽蔔蔘蔞蔣蔥蔦蔭蕁蕆蕎蕒蕓蕕蕘蕢蕩蕪蕭蕷薀薈薊薌薑薔薘薟薦薩薳薴薵薹薺藍藎藝藥藪藭藴藶藹藺蘀蘄蘆蘇蘊蘋蘚蘞蘢蘭蘺蘿虆處虛虜號虧虯蛺蛻蜆蝕蝟蝦蝨蝸螄螞螢螮螻螿蟄蟈蟎蟣蟬蟯蟲蟶蟻蠁蠅蠆蠍蠐蠑蠔蠟蠣蠨蠱蠶蠻衆衊術衕衚衛衝袞袷裊裏補裝裡製複褌褘褲褳褸褻襇襉襏襖襝襠襤襪襬襯襲襴覈見覎規覓視覘覡覥覦親覬覯覲覷覺覽覿觀觴觶觸訁訂訃計訊訌討訐訒訓訕訖託記訛訝訟訢訣訥訩訪設許訴訶診註証詁詆詎詐詒詔評詖詗詘詛詞詠詡詢詣試詩詫詬詭詮詰話該詳詵詼詿誄誅誆誇誌認誑誒誕誘誚語誠誡誣誤誥誦誨說説誰課誶誹誼誾調諂諄談諉請諍諏諑諒論諗諛諜諝諞諡諢諤諦諧諫諭諮諱諳諶諷諸諺諼諾謀謁謂謄謅謊謎謐謔謖謗謙謚講謝謠謡謨謫謬謭謳謹謾譁證譎譏譖識譙譚譜譟譫譭譯議譴護譸譽譾讀讅變讋讌讎讒讓讕讖讚讜讞谿豈豎豐豔豬豶貍貓貙貝貞貟負財貢貧貨販貪貫責貯貰貲貳貴貶買貸貺費貼貽貿賀賁賂賃賄賅資賈賊賑賒賓賕賙賚賜賞賠賡賢賣賤賦賧質賫賬賭賰賴賵賺賻購賽賾贄贅贇贈贊贋贍贏贐贓贔贖贗贛贜赬趕趙趨趲跡踐踰踴蹌蹕蹟蹠蹣蹤蹺躂躉躊躋躍躎躑躒躓躕躚躡躥躦躪軀車軋軌軍軑軒軔軛軟軤軫軲軸軹軺軻軼軾較輅輇輈載輊輒輓輔輕輛輜輝輞輟輥輦輩輪輬輯輳輸輻輼輾輿轀轂轄轅轆轉轍轎轔轟轡轢轤辦辭辮辯農迴逕這連週進遊運過達違遙遜遞遠遡適遲遶遷選遺遼邁還邇邊邏邐郟郵鄆鄉鄒鄔鄖鄧鄭鄰鄲鄴鄶鄺酇酈醃醖醜醞醟醣醫醬醱釀釁釃釅釋釐釒釓釔釕釗釘釙針釣釤釦釧釩釵釷釹釺釾鈀鈁鈃鈄鈅鈈鈉鈍鈎鈐鈑鈒鈔鈕鈞鈡鈣鈥鈦鈧鈮鈰鈳鈴鈷鈸鈹鈺鈽鈾鈿鉀鉅鉆鉈鉉鉋鉍鉑鉕鉗鉚鉛鉞鉢鉤鉦鉬鉭鉳鉶鉸鉺鉻鉿銀銃銅銍銑銓銖銘銚銛銜銠銣銥銦銨銩銪銫銬銱銳銷銹銻銼鋁鋃鋅鋇鋌鋏鋒鋙鋝鋟鋣鋤鋥鋦鋨鋩鋪鋭鋮鋯鋰鋱鋶鋸鋼錁錄錆錇錈錏錐錒錕錘錙錚錛錟錠錡錢錦錨錩錫錮錯録錳錶錸錼鍀鍁鍃鍅鍆鍇鍈鍊鍋鍍鍔鍘鍚鍛鍠鍤鍥鍩鍬鍰鍵鍶鍺鍼鍾鎂鎄鎇鎊鎌鎔鎖鎘鎚鎛鎡鎢鎣鎦鎧鎩鎪鎬鎭鎮鎰鎲鎳鎵鎶鎸鎿鏃鏇鏈鏌鏍鏐鏑鏗鏘鏜鏝鏞鏟鏡鏢鏤鏨鏰鏵鏷鏹鏺鏽鐃鐋鐐鐒鐓鐔鐘鐙鐝鐠鐥鐦鐧鐨鐫鐮鐯鐲鐳鐵鐶鐸鐺鐿鑄鑊鑌鑑鑒鑔鑕鑞鑠鑣鑥鑭鑰鑱鑲鑷鑹鑼鑽鑾鑿钁钂長門閂閃閆閈閉開閌閎閏閑閒間閔閘閡閣閤閥閨閩閫閬閭閱閲閶閹閻閼閽閾閿闃闆闇闈闊闋闌闍闐闒闓闔闕闖關闞闠闡闢闤闥陘陝陞陣陰陳陸陽隉隊階隕際隨險隯隱隴隸隻雋雖雙雛雜雞離難雲電霑霢霧霽靂靄靆靈靉靚靜靝靦靨鞏鞝鞦鞽韁韃韆韉韋韌韍韓韙韜韝韞韻響頁頂頃項順頇須頊頌頎頏預頑頒頓頗領頜頡頤頦頭頮頰頲頴頷頸頹頻頽顆題額顎顏顒顓顔願顙顛類顢顥顧顫顬顯顰顱顳顴風颭颮颯颱颳颶颸颺颻颼飀飄飆飈飛飠飢飣飥飩飪飫飭飯飱飲飴飼飽飾飿餃餄餅餈餉養餌餎餏餑餒餓餕餖餘餚餛餜餞餡館餬餱餳餵餶餷餺餼餾餿饁饃饅饈饉饊饋饌饑饒饗饜饞饢馬馭馮馱馳馴馹駁駐駑駒駔駕駘駙駛駝駟駡駢駭駰駱駸駿騁騂騅騌騍騎騏騖騙騤騧騫騭騮騰騶騷騸騾驀驁驂驃驄驅驊驌驍驏驕驗驚驛驟驢驤驥驦驪驫骯髏髒體髕髖髮鬆鬍鬚鬢鬥鬧鬨鬩鬮鬱鬹魎魘魚魛魢魨魯魴魷魺鮁鮃鮊鮋鮍鮎鮐鮑鮒鮓鮚鮜鮝鮞鮣鮦鮪鮫鮭鮮鮳鮶鮺鯀鯁鯇鯉鯊鯒鯔鯕鯖鯗鯛鯝鯡鯢鯤鯧鯨鯪鯫鯰鯴鯷鯽鯿鰁鰂鰃鰆鰈鰉鰌鰍鰏鰐鰒鰓鰛鰜鰟鰠鰣鰥鰧鰨鰩鰭鰮鰱鰲鰳鰵鰷鰹鰺鰻鰼鰾鱂鱅鱈鱉鱒鱔鱖鱗鱘鱝鱟鱠鱣鱤鱧鱨鱭鱯鱷鱸鱺鳥鳧鳩鳬鳲鳳鳴鳶鳾鴆鴇鴉鴒鴕鴛鴝鴞鴟鴣鴦鴨鴯鴰鴴鴷鴻鴿鵁鵂鵃鵐鵑鵒鵓鵜鵝鵠鵡鵪鵬鵮鵯鵰鵲鵷鵾鶄鶇鶉鶊鶓鶖鶘鶚鶡鶥鶩鶪鶬鶯鶲鶴鶹鶺鶻鶼鶿鷀鷁鷂鷄鷉鷊鷓鷖鷗鷙鷚鷥鷦鷫鷯鷲鷳鷴鷸鷹鷺鷽鸂鸇鸊鸌鸏鸕鸘鸚鸛鸝鸞鹵鹹鹺鹼鹽麗麥麩麪麫麯麴麵麼麽黃黌點黨黲黴黶黷黽黿鼂鼉鼕鼴齊齋齎齏齒齔齕齗齙齜齟齠齡齣齦齧齪齬齲齶齷龍龎龐龑龔龕龜鿁鿓', NULL),
                           string_to_array('丢并干乱亘亚伫布占并来仑侣局俣系伣侠伡私伥俩俫仓个们幸伦㑈伟㐽侧侦伪㐷杰伧伞备家佣偬传伛债伤倾偻仅佥侨仆伪侥偾雇价仪俊侬亿侩俭傤傧俦侪尽偿优储俪㑩傩傥俨凶兑儿兖内两册胄幂净冻凛凯别删刭则克刹刬刚剥剐剀创铲划札剧刘刽刿剑㓥剂㔉劲动务勋胜劳势勚劢勋励劝匀匦汇匮区协恤却即厍厕历厌厉厣参叁丛咤吴呐吕呙员呗念问启哑启唡㖞唤丧吃乔单哟呛啬唝吗呜唢哔叹喽啯呕啧尝唛哗唠啸叽哓呒啴恶嘘㖊咝哒哝哕嗳哙喷吨当咛吓哜尝噜啮咽呖咙向亸喾严嘤啭嗫嚣冁呓啰苏嘱囱囵国围园圆图团坝垭采执坚垩垴埚尧报场块茔垲埘涂冢坞埙尘堑垫坠堕坛坟垯墙垦坛垱埙压垒圹垆坛坏垄垅坜坝塆壮壶壸寿够梦伙夹奂奥奁夺奖奋姹妆姗奸娱娄妇娅娲妫㛀媪妈袅妪妩娴娴婳妫媭娆婵娇嫱嫒嬷嫔婴婶娘㛤娈孙学孪宫采寝实宁审写宽宠宝将专寻对导尴届尸屃屉屡层屦属冈峰岘岛峡崃昆岗仑峥岽岚岁㟥嵝崭岖嵚崂峤峣峄峃崄嵘岭屿岳岿峦巅岩巯卺帅师帐带帧帏㡎帼帻帜币帮帱并干几库厕厢厩厦庼荫厨厮庙厂庑废广廪庐厅弑吊弪张强别弹弥弯录汇彟彦雕彨佛后径从徕复征彻恒耻悦悮怅闷凄恶恼恽恻爱惬悫怆恺忾栗态愠惨惭恸惯悫怄怂虑悭庆㥪戚欲忧惫怜凭愦慭惮愤悯怃宪忆恳应怿懔蒙怼懑㤽恹惩懒怀悬忏惧慑恋戆戋戗戬战戯戏户捍抛拼捝挲挟舍扪挨卷扫抡㧏挜挣挂采拣扬换挥搄损摇捣扇揾抢掴掼搂挚抠抟折掺捞挦撑挠㧑挢掸拨抚扑揿挞挝捡拥掳择击挡㧟担据挤抬捣拟摈拧搁掷扩撷摆擞撸㧰扰摅撵拢拦撄搀撺携摄攒挛摊搅揽教敚败叙敌数敛毙敩斓斩断于旗既升时晋昼晕晖旸畅暂晔历昙晓向暧旷昽晒书会胧术东拐栅拐查杆栀枧条枭棁弃棋枨枣栋㭎栈栖梾桠㭏杨枫桢业极矩干杩荣榅桤构枪杠梿椠椁椮桨椢椝桩乐枞梁楼标枢㭤样榝㭴桪朴树桦椫桡桥机椭横檩柽档桧槚检樯梼台槟柠槛柜橹榈栉椟橼栎橱槠栌枥橥榇蘖栊榉樱栏榉权椤栾榄棂钦叹欧欤欢岁历归殁残殒殇㱮殚僵殓殡㱩歼杀壳壳毁殴毵牦毡氇气氢氩氲泛泛污决没冲况溯泄汹浃泾涚凉凄泪渌净凌沦渊涞浅涣减沨涡测浑凑浈涌汤沩准沟温浉涢湿沧灭涤荥汇沪滞渗卤浒浐滚满渔溇沤汉涟渍涨溆渐浆颍泼洁沩㴋潜润浔溃滗涠涩浇涝沄涧渑泽滪泶浍淀㳠浊浓㳡湿泞溁蒙浕济涛㳔滥潍滨溅泺滤澛滢渎㲿泻沈浏濒泸沥潇潆潴泷濑弥潋澜沣滠洒漓滩灏㳕湾滦滟滟灾为乌烃无炼炜烟茕焕烦炀㶽煴荧炝热颎炽烨灯炖烧烫焖营灿毁烛烩㶶熏烬焘烁炉烂争为爷尔床墙牍抵牵荦牦犊牺状狭狈狰犹狲犸呆狱狮奖独狯猃狝狞㺍获猎犷兽獭献猕猡现雕珐珲玮玚琐瑶莹玛玱琏琎玑瑷珰㻅环玙瑸玺璇琼珑璎瓒瓯瓮产产亩毕画异画当畴叠痉酸疴痖疯疡痪瘗疮疟瘆疭瘘瘘疗痨痫瘅愈疠瘪痴痒疖症疬癞癣瘿瘾痈瘫癫发皂皑疱皲皱杯盗盏尽监盘卢荡真眦众困睁睐眍䁖瞒瞆睑蒙眬瞩矫朱硁硖砗砚埼硕砀砜确码䂵硙砖硵碜碛矶硗䃅硚础碍矿砺砾矾砻秘禄祸祯祎祃御禅礼祢祷秃籼税秆䅉棱禀种称谷䅟稣积颖秾穑秽稳获穞窝洼穷窑窎窭窥窜窍窦灶窃竖竞笔笋笕䇲个笺筝札节范筑箧筼筿笃筛筚箦篓蓑箪简篑箫筜签帘篮筹䉤箓篯箨籁笼签笾簖篱箩吁粤粽糁粪粮团粝籴粜纟纠纪纣约红纡纥纨纫纹纳纽纾纯纰纼纱纮纸级纷纭纴纺䌷扎细绂绁绅纻绍绀绋绐绌终弦组䌹绊绗结绝绦绔绞络绚给绒绖统丝绛绝绢绑绡绠绨绣绤绥䌼捆经综缍绿绸绻线绶维绹绾纲网绷缀彩纶绺绮绽绰绫绵绲缁紧绯绿绪绬绱缃缄缂线缉缎缔缗缘缌编缓缅纬缑缈练缏缇致缊萦缙缢缒绉缣缊缞缚缜缟缛县绦缝缡缩纵缧䌸纤缦絷缕缥总绩绷缫缪缯织缮缭绕绣缋绳绘系茧缰缳缲缴䍁绎继缤缱䍀颣缬纩续累缠缨才纤缵缆钵䓨坛罂坛罚骂罢罗罴羁芈群羟羡义膻习玩翚翘翙耧耢圣闻联聪声耸聩聂职聍听聋肃胁脉胫唇修脱胀肾胨脶脑肿脚肠腽腘肤䏝胶腻胆脍脓脸脐膑腊胪脏脔臜卧临台与兴举旧铺馆舱舣舰舻艰艳刍苎兹荆庄茎荚苋华庵烟苌莱万荝莴叶荭荮苇药荤搜莼莳蒀莅苍荪席盖莲苁莼荜卜参蒌蒋葱茑荫荨蒇荞荬芸莸荛蒉荡芜萧蓣蕰荟蓟芗姜蔷荙莶荐萨䓕苎䓓苔荠蓝荩艺药薮䓖蕴苈蔼蔺萚蕲芦苏蕴苹藓蔹茏兰蓠萝蔂处虚虏号亏虬蛱蜕蚬蚀猬虾虱蜗蛳蚂萤䗖蝼螀蛰蝈螨虮蝉蛲虫蛏蚁蚃蝇虿蝎蛴蝾蚝蜡蛎蟏蛊蚕蛮众蔑术同胡卫冲衮夹袅里补装里制复裈袆裤裢褛亵裥裥袯袄裣裆褴袜摆衬袭襕核见觃规觅视觇觋觍觎亲觊觏觐觑觉览觌观觞觯触讠订讣计讯讧讨讦讱训讪讫托记讹讶讼䜣诀讷讻访设许诉诃诊注证诂诋讵诈诒诏评诐诇诎诅词咏诩询诣试诗诧诟诡诠诘话该详诜诙诖诔诛诓夸志认诳诶诞诱诮语诚诫诬误诰诵诲说说谁课谇诽谊訚调谄谆谈诿请诤诹诼谅论谂谀谍谞谝谥诨谔谛谐谏谕咨讳谙谌讽诸谚谖诺谋谒谓誊诌谎谜谧谑谡谤谦谥讲谢谣谣谟谪谬谫讴谨谩哗证谲讥谮识谯谭谱噪谵毁译议谴护诪誉谫读谉变詟䜩雠谗让谰谶赞谠谳溪岂竖丰艳猪豮狸猫䝙贝贞贠负财贡贫货贩贪贯责贮贳赀贰贵贬买贷贶费贴贻贸贺贲赂赁贿赅资贾贼赈赊宾赇赒赉赐赏赔赓贤卖贱赋赕质赍账赌䞐赖赗赚赙购赛赜贽赘赟赠赞赝赡赢赆赃赑赎赝赣赃赪赶赵趋趱迹践逾踊跄跸迹跖蹒踪跷跶趸踌跻跃䟢踯跞踬蹰跹蹑蹿躜躏躯车轧轨军轪轩轫轭软轷轸轱轴轵轺轲轶轼较辂辁辀载轾辄挽辅轻辆辎辉辋辍辊辇辈轮辌辑辏输辐辒辗舆辒毂辖辕辘转辙轿辚轰辔轹轳办辞辫辩农回径这连周进游运过达违遥逊递远溯适迟绕迁选遗辽迈还迩边逻逦郏邮郓乡邹邬郧邓郑邻郸邺郐邝酂郦腌酝丑酝蒏糖医酱酦酿衅酾酽释厘钅钆钇钌钊钉钋针钓钐扣钏钒钗钍钕钎䥺钯钫钘钭钥钚钠钝钩钤钣钑钞钮钧钟钙钬钛钪铌铈钶铃钴钹铍钰钸铀钿钾巨钻铊铉铇铋铂钷钳铆铅钺钵钩钲钼钽锫铏铰铒铬铪银铳铜铚铣铨铢铭铫铦衔铑铷铱铟铵铥铕铯铐铞锐销锈锑锉铝锒锌钡铤铗锋铻锊锓铘锄锃锔锇铓铺锐铖锆锂铽锍锯钢锞录锖锫锩铔锥锕锟锤锱铮锛锬锭锜钱锦锚锠锡锢错录锰表铼镎锝锨锪钫钔锴锳炼锅镀锷铡钖锻锽锸锲锘锹锾键锶锗针钟镁锿镅镑镰镕锁镉锤镈镃钨蓥镏铠铩锼镐镇镇镒镋镍镓鿔镌镎镞旋链镆镙镠镝铿锵镗镘镛铲镜镖镂錾镚铧镤镪䥽锈铙铴镣铹镦镡钟镫镢镨䦅锎锏镄镌镰䦃镯镭铁镮铎铛镱铸镬镔鉴鉴镲锧镴铄镳镥镧钥镵镶镊镩锣钻銮凿镢镋长门闩闪闫闬闭开闶闳闰闲闲间闵闸阂阁合阀闺闽阃阆闾阅阅阊阉阎阏阍阈阌阒板暗闱阔阕阑阇阗阘闿阖阙闯关阚阓阐辟阛闼陉陕升阵阴陈陆阳陧队阶陨际随险陦隐陇隶只隽虽双雏杂鸡离难云电沾霡雾霁雳霭叇灵叆靓静靔腼靥巩绱秋鞒缰鞑千鞯韦韧韨韩韪韬鞲韫韵响页顶顷项顺顸须顼颂颀颃预顽颁顿颇领颌颉颐颏头颒颊颋颕颔颈颓频颓颗题额颚颜颙颛颜愿颡颠类颟颢顾颤颥显颦颅颞颧风飐飑飒台刮飓飔飏飖飕飗飘飙飚飞饣饥饤饦饨饪饫饬饭飧饮饴饲饱饰饳饺饸饼糍饷养饵饹饻饽馁饿馂饾余肴馄馃饯馅馆糊糇饧喂馉馇馎饩馏馊馌馍馒馐馑馓馈馔饥饶飨餍馋馕马驭冯驮驰驯驲驳驻驽驹驵驾骀驸驶驼驷骂骈骇骃骆骎骏骋骍骓骔骒骑骐骛骗骙䯄骞骘骝腾驺骚骟骡蓦骜骖骠骢驱骅骕骁骣骄验惊驿骤驴骧骥骦骊骉肮髅脏体髌髋发松胡须鬓斗闹哄阋阄郁鬶魉魇鱼鱽鱾鲀鲁鲂鱿鲄鲅鲆鲌鲉鲏鲇鲐鲍鲋鲊鲒鲘鲞鲕䲟鲖鲔鲛鲑鲜鲓鲪鲝鲧鲠鲩鲤鲨鲬鲻鲯鲭鲞鲷鲴鲱鲵鲲鲳鲸鲮鲰鲶鲺鳀鲫鳊鳈鲗鳂䲠鲽鳇䲡鳅鲾鳄鳆鳃鳁鳒鳑鳋鲥鳏䲢鳎鳐鳍鳁鲢鳌鳓鳘鲦鲣鲹鳗鳛鳔鳉鳙鳕鳖鳟鳝鳜鳞鲟鲼鲎鲙鳣鳡鳢鲿鲚鳠鳄鲈鲡鸟凫鸠凫鸤凤鸣鸢䴓鸩鸨鸦鸰鸵鸳鸲鸮鸱鸪鸯鸭鸸鸹鸻䴕鸿鸽䴔鸺鸼鹀鹃鹆鹁鹈鹅鹄鹉鹌鹏鹐鹎雕鹊鹓鹍䴖鸫鹑鹒鹋鹙鹕鹗鹖鹛鹜䴗鸧莺鹟鹤鹠鹡鹘鹣鹚鹚鹢鹞鸡䴘鹝鹧鹥鸥鸷鹨鸶鹪鹔鹩鹫鹇鹇鹬鹰鹭鸴㶉鹯䴙鹱鹲鸬鹴鹦鹳鹂鸾卤咸鹾碱盐丽麦麸面面曲曲面么么黄黉点党黪霉黡黩黾鼋鼌鼍冬鼹齐斋赍齑齿龀龁龂龅龇龃龆龄出龈啮龊龉龋腭龌龙厐庞䶮龚龛龟䜤鿒', NULL)) ->> letter, letter),
                       '' ORDER BY place)
                INTO plain
                FROM string_to_table(plain, NULL) WITH ORDINALITY AS one (letter, place);
            END IF;
            RETURN plain;
        END $$;

CREATE FUNCTION letter_pairs(said text) RETURNS text[]
    LANGUAGE sql IMMUTABLE PARALLEL SAFE
    BEGIN ATOMIC
 SELECT COALESCE(array_agg(DISTINCT COALESCE(pairs.pair, pairs.letter)), '{}'::text[]) AS "coalesce"
    FROM regexp_matches(letter_pairs.said, '[\u0E00-\u0EFF\u1000-\u109F\u1780-\u17FF\u2E80-\u2FDF\u3005-\u3007\u3041-\u312F\u3400-\u4DBF\u4E00-\u9FFF\uAC00-\uD7AF\uF900-\uFAFF\uFF66-\uFF9F\U00020000-\U0003FFFF]+'::text, 'g'::text) runs(run),
     LATERAL ( SELECT one.letter,
             (one.letter || lead(one.letter) OVER (ORDER BY one.place)) AS pair,
             count(*) OVER () AS letters
            FROM string_to_table(runs.run[1], NULL::text) WITH ORDINALITY one(letter, place)) pairs
   WHERE ((pairs.pair IS NOT NULL) OR (pairs.letters = 1));
END;

CREATE FUNCTION recall_languages() RETURNS regconfig[]
    LANGUAGE sql IMMUTABLE PARALLEL SAFE
    RETURN ARRAY['english'::regconfig];

CREATE AGGREGATE any_words(tsquery) (
    SFUNC = tsquery_or,
    STYPE = tsquery,
    PARALLEL = safe
);

CREATE FUNCTION asked_words(asked text) RETURNS tsquery
    LANGUAGE sql IMMUTABLE PARALLEL SAFE
    RETURN (SELECT ((SELECT any_words(websearch_to_tsquery(language.language, regexp_replace(form.form, '[\u3000-\u3040\uFF00-\uFF0F\uFF1A-\uFF20\u0E00-\u0EFF\u1000-\u109F\u1780-\u17FF\u2E80-\u2FDF\u3005-\u3007\u3041-\u312F\u3400-\u4DBF\u4E00-\u9FFF\uAC00-\uD7AF\uF900-\uFAFF\uFF66-\uFF9F\U00020000-\U0003FFFF]+'::text, ' '::text, 'g'::text))) AS any_words FROM unnest(recall_languages()) language(language)) && (SELECT (COALESCE(string_agg(quote_literal(pair.pair), ' & '::text), ''::text))::tsquery AS "coalesce" FROM unnest(letter_pairs(form.form)) pair(pair))) FROM CAST(asked_words.asked AS text) text(text), LATERAL fold(text.text) form(form));

CREATE FUNCTION choose_chat() RETURNS trigger
    LANGUAGE plpgsql
    AS $$
        BEGIN
            NEW.chat_id := coalesce(
                (SELECT chat_id FROM conversations WHERE conversation_id = NEW.branched_from),
                NEW.conversation_id);
            RETURN NEW;
        END
        $$;

CREATE FUNCTION count_changed_message_bytes() RETURNS trigger
    LANGUAGE plpgsql
    AS $$
        BEGIN
            UPDATE conversations SET message_bytes = message_bytes
                + octet_length(NEW.content) - octet_length(OLD.content)
            WHERE conversation_id = NEW.conversation_id;
            RETURN NULL;
        END $$;

CREATE FUNCTION count_gone_variant_bytes() RETURNS trigger
    LANGUAGE plpgsql
    AS $$
        BEGIN
            UPDATE conversations SET message_bytes = message_bytes - gone.bytes
            FROM (SELECT conversation_id, sum(octet_length(content)) AS bytes
                  FROM gone_variants GROUP BY conversation_id) AS gone
            WHERE conversations.conversation_id = gone.conversation_id;
            RETURN NULL;
        END $$;

CREATE FUNCTION count_new_message_bytes() RETURNS trigger
    LANGUAGE plpgsql
    AS $$
        BEGIN
            UPDATE conversations SET message_bytes = message_bytes + added.bytes
            FROM (SELECT conversation_id, sum(octet_length(content)) AS bytes
                  FROM added_messages GROUP BY conversation_id) AS added
            WHERE conversations.conversation_id = added.conversation_id AND added.bytes > 0;
            RETURN NULL;
        END $$;

CREATE FUNCTION count_own_messages_containing(asked tsquery, most bigint) RETURNS bigint
    LANGUAGE sql STABLE SECURITY DEFINER
    SET search_path TO 'pg_catalog', 'public', 'pg_temp'
    AS $$
        SELECT count(*) FROM (
            SELECT FROM messages m
            WHERE m.words @@ (quote_literal(owner_word(
                      current_setting('throughline.user_id', true)))::tsquery && asked)
              AND m.user_id = current_setting('throughline.user_id', true)
              AND (m.conversation_id IN (SELECT kept_inside())) = (current_project() IS NOT NULL)
            LIMIT most) AS few
    $$;

CREATE FUNCTION current_project() RETURNS text
    LANGUAGE sql STABLE PARALLEL SAFE
    RETURN NULLIF(substr(current_setting('throughline.memory'::text, true), 4), ''::text);

CREATE FUNCTION find_share(hash bytea) RETURNS TABLE(user_id text, conversation_id uuid, until_sequence integer, created_at timestamp with time zone)
    LANGUAGE sql STABLE SECURITY DEFINER
    SET search_path TO 'pg_catalog', 'public', 'pg_temp'
    AS $$
            SELECT s.user_id, s.conversation_id, s.until_sequence, s.created_at FROM shares s
            WHERE s.token_hash = hash AND (s.expires_at IS NULL OR s.expires_at > now())
              AND NOT EXISTS (SELECT 1 FROM accounts a
                              WHERE a.account_id = s.user_id AND a.disabled_at IS NOT NULL)
        $$;

CREATE FUNCTION join_words(words text[]) RETURNS text
    LANGUAGE sql IMMUTABLE PARALLEL SAFE
    RETURN array_to_string(words, ' '::text);

CREATE FUNCTION kept_inside() RETURNS SETOF uuid
    LANGUAGE sql STABLE ROWS 50
    SET search_path TO 'pg_catalog', 'public', 'pg_temp'
    AS $$
            SELECT c.conversation_id FROM projects p
            JOIN conversations c ON c.user_id = p.user_id AND c.project = p.name
            WHERE p.user_id = current_setting('throughline.user_id', true) AND p.own_memory
              AND (current_project() IS NULL OR p.name = current_project())
        $$;

CREATE FUNCTION lease_webhook(wanted bigint, lease_s double precision) RETURNS TABLE(user_id text, fencing_token bigint)
    LANGUAGE plpgsql SECURITY DEFINER
    SET search_path TO 'pg_catalog', 'public', 'pg_temp'
    AS $$
        BEGIN
            RETURN QUERY
            UPDATE webhooks AS leased
            SET fencing_token = nextval('fencing_tokens'),
                lease_until = now() + make_interval(secs => lease_s)
            WHERE leased.webhook_id = wanted AND leased.disabled_at IS NULL
              AND leased.resume_at <= now()
              AND (leased.lease_until IS NULL OR leased.lease_until < now())
            RETURNING leased.user_id, leased.fencing_token;
        END $$;

CREATE FUNCTION list_due_webhooks(owner text, most integer) RETURNS TABLE(webhook_id bigint)
    LANGUAGE plpgsql STABLE SECURITY DEFINER
    SET search_path TO 'pg_catalog', 'public', 'pg_temp'
    AS $$
        BEGIN
            RETURN QUERY
            SELECT due.webhook_id FROM webhooks AS due
            WHERE (owner IS NULL OR due.user_id = owner)
              AND due.disabled_at IS NULL AND due.resume_at <= now()
              AND (due.lease_until IS NULL OR due.lease_until < now())
              AND EXISTS (SELECT FROM webhook_deliveries AS pending
                          WHERE pending.webhook_id = due.webhook_id
                            AND pending.status = 'pending' AND pending.due_at <= now())
            ORDER BY due.resume_at LIMIT most;
        END $$;

CREATE FUNCTION list_for_cutting() RETURNS trigger
    LANGUAGE plpgsql
    AS $$
            BEGIN
                INSERT INTO uncut_files (attachment_id, user_id)
                SELECT NEW.attachment_id, NEW.user_id FROM messages
                WHERE conversation_id = NEW.conversation_id
                  AND sequence_number = NEW.sequence_number AND NOT is_copy
                ON CONFLICT (attachment_id) DO NOTHING;
                RETURN NULL;
            END $$;

CREATE FUNCTION list_for_embedding() RETURNS trigger
    LANGUAGE plpgsql
    AS $$
        BEGIN
            INSERT INTO unembedded_messages (conversation_id, sequence_number, user_id)
            SELECT NEW.conversation_id, NEW.sequence_number, NEW.user_id FROM conversations
            WHERE conversation_id = NEW.conversation_id AND mode <> 'off'
            ON CONFLICT (conversation_id, sequence_number) DO UPDATE SET ticket = DEFAULT;
            RETURN NULL;
        END $$;

CREATE FUNCTION list_own_files() RETURNS trigger
    LANGUAGE plpgsql
    AS $$
            BEGIN
                INSERT INTO uncut_files (attachment_id, user_id)
                SELECT attachment_id, user_id FROM attachments
                WHERE conversation_id = NEW.conversation_id
                  AND sequence_number = NEW.sequence_number AND text_byte_count > 0
                ON CONFLICT (attachment_id) DO NOTHING;
                RETURN NULL;
            END $$;

CREATE FUNCTION new_id() RETURNS bigint
    LANGUAGE sql SECURITY DEFINER
    SET search_path TO 'pg_catalog', 'public', 'pg_temp'
    AS $$
            SELECT instant * 8 + (number + (
                'x' || left(md5(instant || coalesce((SELECT salt::text FROM id_salt), '')), 6)
            )::bit(24)::integer) % 8
            FROM (
                SELECT number,
                       (extract(epoch FROM clock_timestamp() - '2020-01-01Z') * 1000000)::bigint
                FROM (SELECT nextval('id_numbers')) AS taken (number)
            ) AS now (number, instant)
        $$;

CREATE FUNCTION own_messages_containing(asked tsquery, until timestamp with time zone, most bigint) RETURNS TABLE(conversation_id uuid, sequence_number integer, length integer)
    LANGUAGE sql STABLE SECURITY DEFINER ROWS 50
    SET search_path TO 'pg_catalog', 'public', 'pg_temp'
    AS $$
        SELECT m.conversation_id, m.sequence_number, pg_catalog.length(m.words)
        FROM messages m
        WHERE m.words @@ (quote_literal(owner_word(
                  current_setting('throughline.user_id', true)))::tsquery && asked)
          AND m.user_id = current_setting('throughline.user_id', true)
          AND (until IS NULL OR m.created_at <= until) AND NOT m.is_copy AND m.withheld_at IS NULL
          AND (m.conversation_id IN (SELECT kept_inside())) = (current_project() IS NOT NULL)
        LIMIT most
    $$;

CREATE FUNCTION own_passages_containing(asked tsquery, most bigint) RETURNS TABLE(passage_id bigint, length integer)
    LANGUAGE sql STABLE SECURITY DEFINER ROWS 50
    SET search_path TO 'pg_catalog', 'public', 'pg_temp'
    AS $$
        SELECT p.passage_id, pg_catalog.length(p.words)
        FROM file_passages p
        WHERE p.words @@ (quote_literal(owner_word(
                  current_setting('throughline.user_id', true)))::tsquery && asked)
          AND p.user_id = current_setting('throughline.user_id', true)
          AND ((SELECT a.conversation_id FROM attachments a
                WHERE a.attachment_id = p.attachment_id) IN (SELECT kept_inside()))
              = (current_project() IS NOT NULL)
        LIMIT most
    $$;

CREATE FUNCTION owner_word(user_id text) RETURNS text
    LANGUAGE sql IMMUTABLE PARALLEL SAFE
    RETURN ('u:'::text || "left"(md5(user_id), 16));

CREATE FUNCTION spelled_words(said text) RETURNS tsvector
    LANGUAGE sql IMMUTABLE PARALLEL SAFE
    RETURN CASE WHEN (said ~ '[^\x01-\x7f]'::text) THEN (SELECT array_to_tsvector((COALESCE(array_agg(DISTINCT changed.word) FILTER (WHERE (changed.word IS NOT NULL)), '{}'::text[]) || letter_pairs(plain.plain))) AS array_to_tsvector FROM (NORMALIZE(spelled_words.said, NFC) plain(plain) LEFT JOIN LATERAL (SELECT forms.word FROM unnest(recall_languages()) language(language), LATERAL tsvector_to_array(to_tsvector(language.language, regexp_replace(plain.plain, '[\u3000-\u3040\uFF00-\uFF0F\uFF1A-\uFF20\u0E00-\u0EFF\u1000-\u109F\u1780-\u17FF\u2E80-\u2FDF\u3005-\u3007\u3041-\u312F\u3400-\u4DBF\u4E00-\u9FFF\uAC00-\uD7AF\uF900-\uFAFF\uFF66-\uFF9F\U00020000-\U0003FFFF]+'::text, ' '::text, 'g'::text))) words(words), LATERAL UNNEST(words.words, string_to_array(fold(array_to_string(words.words, '
'::text)), '
'::text)) forms(word, form) WHERE (forms.word <> forms.form)) changed ON (true)) GROUP BY plain.plain) ELSE ''::tsvector END;

CREATE AGGREGATE all_words(tsvector) (
    SFUNC = tsvector_concat,
    STYPE = tsvector,
    PARALLEL = safe
);

CREATE FUNCTION said_words(said text) RETURNS tsvector
    LANGUAGE sql IMMUTABLE PARALLEL SAFE
    RETURN (SELECT (((SELECT all_words(to_tsvector(language.language, regexp_replace(form.form, '[\u3000-\u3040\uFF00-\uFF0F\uFF1A-\uFF20\u0E00-\u0EFF\u1000-\u109F\u1780-\u17FF\u2E80-\u2FDF\u3005-\u3007\u3041-\u312F\u3400-\u4DBF\u4E00-\u9FFF\uAC00-\uD7AF\uF900-\uFAFF\uFF66-\uFF9F\U00020000-\U0003FFFF]+'::text, ' '::text, 'g'::text))) AS all_words FROM unnest(recall_languages()) language(language)) || array_to_tsvector(letter_pairs(form.form))) || spelled_words(text.text)) FROM CAST(said_words.said AS text) text(text), LATERAL fold(text.text) form(form));

CREATE FUNCTION set_owner() RETURNS trigger
    LANGUAGE plpgsql
    AS $$
        BEGIN
            SELECT user_id INTO NEW.user_id
            FROM conversations WHERE conversation_id = NEW.conversation_id;
            RETURN NEW;
        END $$;

CREATE FUNCTION use_api_token(hash bytea) RETURNS TABLE(token_id bigint, user_id text, scopes text[], is_revoked boolean, is_expired boolean)
    LANGUAGE plpgsql SECURITY DEFINER
    SET search_path TO 'pg_catalog', 'public', 'pg_temp'
    AS $$
        BEGIN
            UPDATE api_tokens AS used SET last_used_at = now()
            WHERE used.token_id = (
                SELECT due.token_id FROM api_tokens AS due
                WHERE due.token_hash = hash AND due.revoked_at IS NULL
                  AND (due.expires_at IS NULL OR due.expires_at > now())
                  AND (due.last_used_at IS NULL OR due.last_used_at < now() - interval '1 minute')
                FOR NO KEY UPDATE SKIP LOCKED);
            RETURN QUERY
            SELECT found.token_id, found.user_id, found.scopes, found.revoked_at IS NOT NULL,
                   coalesce(found.expires_at <= now(), false)
            FROM api_tokens AS found WHERE found.token_hash = hash;
        END $$;

CREATE SEQUENCE fencing_tokens
    START WITH 1
    INCREMENT BY 1
    NO MINVALUE
    NO MAXVALUE
    CACHE 1;

CREATE SEQUENCE id_numbers
    START WITH 1
    INCREMENT BY 1
    NO MINVALUE
    NO MAXVALUE
    CACHE 1;

CREATE TABLE accounts (
    account_id text NOT NULL,
    name text NOT NULL,
    name_key text,
    password_hash text,
    issuer text,
    subject text,
    is_operator boolean DEFAULT false NOT NULL,
    disabled_at timestamp with time zone,
    created_at timestamp with time zone DEFAULT now() NOT NULL,
    totp_secret text,
    totp_enabled_at timestamp with time zone,
    totp_last_step bigint DEFAULT 0 NOT NULL,
    CONSTRAINT accounts_check CHECK (((issuer IS NULL) = (subject IS NULL))),
    CONSTRAINT accounts_check1 CHECK (((totp_enabled_at IS NULL) OR (totp_secret IS NOT NULL))),
    CONSTRAINT accounts_issuer_subject_key UNIQUE (issuer, subject),
    CONSTRAINT accounts_name_key_key UNIQUE (name_key),
    CONSTRAINT accounts_pkey PRIMARY KEY (account_id)
);
ALTER TABLE ONLY accounts ALTER COLUMN account_id SET STATISTICS 0;
ALTER TABLE ONLY accounts ALTER COLUMN name SET STATISTICS 0;
ALTER TABLE ONLY accounts ALTER COLUMN name_key SET STATISTICS 0;
ALTER TABLE ONLY accounts ALTER COLUMN password_hash SET STATISTICS 0;
ALTER TABLE ONLY accounts ALTER COLUMN issuer SET STATISTICS 0;
ALTER TABLE ONLY accounts ALTER COLUMN subject SET STATISTICS 0;
ALTER TABLE ONLY accounts ALTER COLUMN totp_secret SET STATISTICS 0;

CREATE TABLE account_links (
    token_hash bytea NOT NULL,
    purpose text NOT NULL,
    account_id text,
    created_at timestamp with time zone DEFAULT now() NOT NULL,
    expires_at timestamp with time zone NOT NULL,
    CONSTRAINT account_links_check CHECK (((purpose = 'reset'::text) = (account_id IS NOT NULL))),
    CONSTRAINT account_links_purpose_check CHECK ((purpose = ANY (ARRAY['setup'::text, 'invitation'::text, 'reset'::text]))),
    CONSTRAINT account_links_pkey PRIMARY KEY (token_hash),
    CONSTRAINT account_links_account_id_fkey FOREIGN KEY (account_id) REFERENCES accounts(account_id) ON DELETE CASCADE
);
ALTER TABLE ONLY account_links ALTER COLUMN token_hash SET STATISTICS 0;
ALTER TABLE ONLY account_links ALTER COLUMN purpose SET STATISTICS 0;
ALTER TABLE ONLY account_links ALTER COLUMN account_id SET STATISTICS 0;
CREATE INDEX account_links_account ON account_links (account_id);

CREATE TABLE account_sessions (
    token_hash bytea NOT NULL,
    account_id text NOT NULL,
    needs_code boolean NOT NULL,
    created_at timestamp with time zone DEFAULT now() NOT NULL,
    expires_at timestamp with time zone NOT NULL,
    CONSTRAINT account_sessions_pkey PRIMARY KEY (token_hash),
    CONSTRAINT account_sessions_account_id_fkey FOREIGN KEY (account_id) REFERENCES accounts(account_id) ON DELETE CASCADE
);
ALTER TABLE ONLY account_sessions ALTER COLUMN token_hash SET STATISTICS 0;
ALTER TABLE ONLY account_sessions ALTER COLUMN account_id SET STATISTICS 0;
CREATE INDEX account_sessions_account ON account_sessions (account_id);

CREATE TABLE users (
    user_id text NOT NULL,
    created_at timestamp with time zone DEFAULT now() NOT NULL,
    turn_count bigint DEFAULT 0 NOT NULL,
    time_zone text,
    memory_instructions text DEFAULT ''::text NOT NULL,
    facts_grouped_at timestamp with time zone,
    CONSTRAINT users_pkey PRIMARY KEY (user_id)
);
ALTER TABLE ONLY users ALTER COLUMN time_zone SET STATISTICS 0;
ALTER TABLE ONLY users ALTER COLUMN memory_instructions SET STATISTICS 0;
ALTER TABLE ONLY users FORCE ROW LEVEL SECURITY;
CREATE POLICY own_rows
    ON users USING ((user_id = current_setting('throughline.user_id'::text, true)));
CREATE POLICY upkeep ON users TO throughline_upkeep USING (true);
ALTER TABLE users ENABLE ROW LEVEL SECURITY;

CREATE TABLE api_tokens (
    token_id bigint DEFAULT new_id() NOT NULL,
    user_id text NOT NULL,
    name text NOT NULL,
    prefix text NOT NULL,
    token_hash bytea NOT NULL,
    scopes text[] NOT NULL,
    created_at timestamp with time zone DEFAULT now() NOT NULL,
    expires_at timestamp with time zone,
    last_used_at timestamp with time zone,
    revoked_at timestamp with time zone,
    CONSTRAINT api_tokens_token_hash_check CHECK ((octet_length(token_hash) = 32)),
    CONSTRAINT api_tokens_owned UNIQUE (token_id, user_id),
    CONSTRAINT api_tokens_pkey PRIMARY KEY (token_id),
    CONSTRAINT api_tokens_token_hash_key UNIQUE (token_hash),
    CONSTRAINT api_tokens_user_id_fkey FOREIGN KEY (user_id) REFERENCES users(user_id) ON DELETE CASCADE
);
ALTER TABLE ONLY api_tokens ALTER COLUMN name SET STATISTICS 0;
ALTER TABLE ONLY api_tokens ALTER COLUMN prefix SET STATISTICS 0;
ALTER TABLE ONLY api_tokens ALTER COLUMN token_hash SET STATISTICS 0;
ALTER TABLE ONLY api_tokens ALTER COLUMN scopes SET STATISTICS 0;
ALTER TABLE ONLY api_tokens FORCE ROW LEVEL SECURITY;
CREATE INDEX api_tokens_by_user ON api_tokens (user_id, token_id);
ALTER TABLE api_tokens ENABLE ROW LEVEL SECURITY;
CREATE POLICY own_rows
    ON api_tokens USING ((user_id = current_setting('throughline.user_id'::text, true)));
CREATE POLICY upkeep ON api_tokens TO throughline_upkeep USING (true);

CREATE TABLE imports (
    import_id uuid DEFAULT gen_random_uuid() NOT NULL,
    user_id text NOT NULL,
    status text DEFAULT 'running'::text NOT NULL,
    imported integer DEFAULT 0 NOT NULL,
    skipped integer DEFAULT 0 NOT NULL,
    failed integer DEFAULT 0 NOT NULL,
    messages integer DEFAULT 0 NOT NULL,
    left_out jsonb DEFAULT '{}'::jsonb NOT NULL,
    notes jsonb DEFAULT '[]'::jsonb NOT NULL,
    error text,
    created_at timestamp with time zone DEFAULT now() NOT NULL,
    touched_at timestamp with time zone DEFAULT now() NOT NULL,
    finished_at timestamp with time zone,
    CONSTRAINT imports_status_check CHECK ((status = ANY (ARRAY['running'::text, 'done'::text, 'failed'::text]))),
    CONSTRAINT imports_owned UNIQUE (import_id, user_id),
    CONSTRAINT imports_pkey PRIMARY KEY (import_id),
    CONSTRAINT imports_user_id_fkey FOREIGN KEY (user_id) REFERENCES users(user_id) ON DELETE CASCADE
);
ALTER TABLE ONLY imports ALTER COLUMN left_out SET STATISTICS 0;
ALTER TABLE ONLY imports ALTER COLUMN notes SET STATISTICS 0;
ALTER TABLE ONLY imports ALTER COLUMN error SET STATISTICS 0;
ALTER TABLE ONLY imports FORCE ROW LEVEL SECURITY;
CREATE INDEX imports_by_user ON imports (user_id, created_at DESC);
ALTER TABLE imports ENABLE ROW LEVEL SECURITY;
CREATE POLICY own_rows
    ON imports USING ((user_id = current_setting('throughline.user_id'::text, true)));
CREATE POLICY upkeep ON imports TO throughline_upkeep USING (true);

CREATE TABLE personas (
    persona_id bigint DEFAULT new_id() NOT NULL,
    user_id text NOT NULL,
    name text NOT NULL,
    instructions text NOT NULL,
    model text,
    mode text NOT NULL,
    created_at timestamp with time zone DEFAULT now() NOT NULL,
    CONSTRAINT personas_mode_check CHECK ((mode = ANY (ARRAY['active'::text, 'passive'::text, 'off'::text]))),
    CONSTRAINT personas_persona_id_user_id_key UNIQUE (persona_id, user_id),
    CONSTRAINT personas_pkey PRIMARY KEY (persona_id),
    CONSTRAINT personas_user_id_name_key UNIQUE (user_id, name),
    CONSTRAINT personas_user_id_fkey FOREIGN KEY (user_id) REFERENCES users(user_id) ON DELETE CASCADE
);
ALTER TABLE ONLY personas ALTER COLUMN name SET STATISTICS 0;
ALTER TABLE ONLY personas ALTER COLUMN instructions SET STATISTICS 0;
ALTER TABLE ONLY personas ALTER COLUMN model SET STATISTICS 0;
ALTER TABLE ONLY personas ALTER COLUMN mode SET STATISTICS 0;
ALTER TABLE ONLY personas FORCE ROW LEVEL SECURITY;
CREATE POLICY own_rows
    ON personas USING ((user_id = current_setting('throughline.user_id'::text, true)));
ALTER TABLE personas ENABLE ROW LEVEL SECURITY;
CREATE POLICY upkeep ON personas TO throughline_upkeep USING (true);

CREATE TABLE projects (
    user_id text NOT NULL,
    name text NOT NULL,
    instructions text DEFAULT ''::text NOT NULL,
    persona_id bigint,
    model text,
    own_memory boolean DEFAULT false NOT NULL,
    created_at timestamp with time zone DEFAULT now() NOT NULL,
    CONSTRAINT projects_pkey PRIMARY KEY (user_id, name),
    CONSTRAINT projects_persona_id_owned FOREIGN KEY (persona_id, user_id) REFERENCES personas(persona_id, user_id) ON DELETE SET NULL (persona_id),
    CONSTRAINT projects_user_id_fkey FOREIGN KEY (user_id) REFERENCES users(user_id) ON DELETE CASCADE
);
ALTER TABLE ONLY projects ALTER COLUMN name SET STATISTICS 0;
ALTER TABLE ONLY projects ALTER COLUMN instructions SET STATISTICS 0;
ALTER TABLE ONLY projects ALTER COLUMN model SET STATISTICS 0;
ALTER TABLE ONLY projects FORCE ROW LEVEL SECURITY;
CREATE INDEX projects_by_persona ON projects (persona_id);
CREATE POLICY own_rows
    ON projects USING ((user_id = current_setting('throughline.user_id'::text, true)));
ALTER TABLE projects ENABLE ROW LEVEL SECURITY;
CREATE POLICY upkeep ON projects TO throughline_upkeep USING (true);

CREATE TABLE conversations (
    conversation_id uuid DEFAULT gen_random_uuid() NOT NULL,
    user_id text NOT NULL,
    title text,
    agent text NOT NULL,
    mode text NOT NULL,
    last_sequence integer DEFAULT '-1'::integer NOT NULL,
    created_at timestamp with time zone DEFAULT now() NOT NULL,
    updated_at timestamp with time zone DEFAULT now() NOT NULL,
    import_id uuid,
    source_key text,
    imported_until integer,
    is_notes boolean DEFAULT false NOT NULL,
    message_bytes bigint DEFAULT 0 NOT NULL,
    branched_from uuid,
    branched_at integer,
    is_pinned boolean DEFAULT false NOT NULL,
    is_archived boolean DEFAULT false NOT NULL,
    model text,
    persona_id bigint,
    project text,
    chat_id uuid NOT NULL,
    CONSTRAINT conversations_branch_is_whole CHECK (((branched_from IS NULL) OR (branched_at IS NOT NULL))),
    CONSTRAINT conversations_branched_at_check CHECK (((branched_at >= 0) AND ((branched_at % 2) = 0))),
    CONSTRAINT conversations_mode_check CHECK ((mode = ANY (ARRAY['active'::text, 'passive'::text, 'off'::text]))),
    CONSTRAINT conversations_owned UNIQUE (conversation_id, user_id),
    CONSTRAINT conversations_pkey PRIMARY KEY (conversation_id),
    CONSTRAINT conversations_branched_from_owned FOREIGN KEY (branched_from, user_id) REFERENCES conversations(conversation_id, user_id) ON DELETE SET NULL (branched_from),
    CONSTRAINT conversations_chat_id_owned FOREIGN KEY (chat_id, user_id) REFERENCES conversations(conversation_id, user_id) ON DELETE CASCADE,
    CONSTRAINT conversations_import_id_owned FOREIGN KEY (import_id, user_id) REFERENCES imports(import_id, user_id) ON DELETE SET NULL (import_id),
    CONSTRAINT conversations_persona_id_owned FOREIGN KEY (persona_id, user_id) REFERENCES personas(persona_id, user_id) ON DELETE SET NULL (persona_id),
    CONSTRAINT conversations_project_owned FOREIGN KEY (user_id, project) REFERENCES projects(user_id, name) ON UPDATE CASCADE,
    CONSTRAINT conversations_user_id_fkey FOREIGN KEY (user_id) REFERENCES users(user_id) ON DELETE CASCADE
);
ALTER TABLE ONLY conversations ALTER COLUMN title SET STATISTICS 0;
ALTER TABLE ONLY conversations ALTER COLUMN agent SET STATISTICS 0;
ALTER TABLE ONLY conversations ALTER COLUMN mode SET STATISTICS 0;
ALTER TABLE ONLY conversations ALTER COLUMN source_key SET STATISTICS 0;
ALTER TABLE ONLY conversations ALTER COLUMN model SET STATISTICS 0;
ALTER TABLE ONLY conversations ALTER COLUMN project SET STATISTICS 0;
ALTER TABLE ONLY conversations FORCE ROW LEVEL SECURITY;
CREATE INDEX conversations_archived
    ON conversations (user_id, updated_at DESC, conversation_id DESC)
    WHERE is_archived;
CREATE INDEX conversations_branches
    ON conversations (branched_from)
    WHERE (branched_from IS NOT NULL);
CREATE INDEX conversations_by_activity ON conversations (updated_at);
CREATE INDEX conversations_by_import ON conversations (import_id) WHERE (import_id IS NOT NULL);
CREATE INDEX conversations_by_persona ON conversations (persona_id) WHERE (persona_id IS NOT NULL);
CREATE INDEX conversations_by_project
    ON conversations (user_id, project, updated_at DESC, conversation_id DESC)
    WHERE (project IS NOT NULL);
CREATE INDEX conversations_by_user
    ON conversations (user_id, updated_at DESC, conversation_id DESC);
CREATE UNIQUE INDEX conversations_imported_once
    ON conversations (user_id, source_key)
    WHERE (source_key IS NOT NULL);
CREATE INDEX conversations_of_chat
    ON conversations (chat_id, updated_at DESC, conversation_id DESC);
CREATE UNIQUE INDEX conversations_of_notes
    ON conversations (user_id, project) NULLS NOT DISTINCT
    WHERE is_notes;
CREATE INDEX conversations_pinned
    ON conversations (user_id, updated_at DESC, conversation_id DESC)
    WHERE is_pinned;
CREATE TRIGGER conversations_choose_chat BEFORE INSERT
    ON conversations
    FOR EACH ROW WHEN ((new.chat_id IS NULL))
    EXECUTE FUNCTION choose_chat();
ALTER TABLE conversations ENABLE ROW LEVEL SECURITY;
CREATE POLICY own_rows
    ON conversations USING ((user_id = current_setting('throughline.user_id'::text, true)));
CREATE POLICY upkeep ON conversations TO throughline_upkeep USING (true);

CREATE TABLE messages (
    conversation_id uuid NOT NULL,
    sequence_number integer NOT NULL,
    role text NOT NULL,
    content text NOT NULL,
    status text NOT NULL,
    model text,
    created_at timestamp with time zone DEFAULT now() NOT NULL,
    error text,
    trace jsonb,
    fencing_token bigint,
    lease_until timestamp with time zone,
    user_turn bigint,
    idempotency_user text,
    idempotency_key text,
    user_id text NOT NULL,
    name text,
    words tsvector GENERATED ALWAYS AS ((array_to_tsvector(ARRAY[owner_word(user_id)]) || said_words("left"(content, 100000)))) STORED,
    finish_reason text,
    deleted_at timestamp with time zone,
    variant integer DEFAULT 1 NOT NULL,
    rating smallint,
    is_copy boolean DEFAULT false NOT NULL,
    withheld_at timestamp with time zone,
    unread_by text,
    CONSTRAINT messages_check CHECK (((role = 'user'::text) = ((sequence_number % 2) = 0))),
    CONSTRAINT messages_check1 CHECK (((role = 'assistant'::text) OR (status = 'complete'::text))),
    CONSTRAINT messages_deleted_are_empty CHECK (((deleted_at IS NULL) OR ((content = ''::text) AND (trace IS NULL) AND (error IS NULL) AND (name IS NULL) AND (idempotency_key IS NULL)))),
    CONSTRAINT messages_finish_reason_check CHECK ((finish_reason = ANY (ARRAY['stop'::text, 'length'::text, 'content_filter'::text, 'cancelled'::text, 'error'::text]))),
    CONSTRAINT messages_keyed_by_user CHECK (((idempotency_user IS NULL) = (idempotency_key IS NULL))),
    CONSTRAINT messages_rating_check CHECK (((rating IS NULL) OR ((role = 'assistant'::text) AND (rating = ANY (ARRAY['-1'::integer, 1]))))),
    CONSTRAINT messages_role_check CHECK ((role = ANY (ARRAY['user'::text, 'assistant'::text]))),
    CONSTRAINT messages_sequence_number_check CHECK ((sequence_number >= 0)),
    CONSTRAINT messages_status_check CHECK ((status = ANY (ARRAY['streaming'::text, 'complete'::text, 'partial'::text, 'failed'::text]))),
    CONSTRAINT messages_pkey PRIMARY KEY (conversation_id, sequence_number),
    CONSTRAINT messages_conversation_id_owned FOREIGN KEY (conversation_id, user_id) REFERENCES conversations(conversation_id, user_id) ON DELETE CASCADE
);
ALTER TABLE ONLY messages ALTER COLUMN content SET STATISTICS 0;
ALTER TABLE ONLY messages ALTER COLUMN model SET STATISTICS 0;
ALTER TABLE ONLY messages ALTER COLUMN error SET STATISTICS 0;
ALTER TABLE ONLY messages ALTER COLUMN trace SET STATISTICS 0;
ALTER TABLE ONLY messages ALTER COLUMN idempotency_user SET STATISTICS 0;
ALTER TABLE ONLY messages ALTER COLUMN idempotency_key SET STATISTICS 0;
ALTER TABLE ONLY messages ALTER COLUMN name SET STATISTICS 0;
ALTER TABLE ONLY messages ALTER COLUMN words SET STATISTICS 0;
ALTER TABLE ONLY messages ALTER COLUMN finish_reason SET STATISTICS 0;
ALTER TABLE ONLY messages ALTER COLUMN unread_by SET STATISTICS 0;
ALTER TABLE ONLY messages FORCE ROW LEVEL SECURITY;
CREATE INDEX messages_keyed ON messages (created_at) WHERE (idempotency_key IS NOT NULL);
CREATE INDEX messages_names ON messages (user_id, name, role) WHERE (name IS NOT NULL);
CREATE UNIQUE INDEX messages_one_open_round
    ON messages (conversation_id)
    WHERE (status = 'streaming'::text);
CREATE INDEX messages_open_leases ON messages (lease_until) WHERE (status = 'streaming'::text);
CREATE INDEX messages_rated ON messages (model) WHERE (rating IS NOT NULL);
CREATE UNIQUE INDEX messages_sent_once
    ON messages (idempotency_user, idempotency_key)
    WHERE (idempotency_key IS NOT NULL);
CREATE INDEX messages_unread
    ON messages (conversation_id, sequence_number)
    WHERE (unread_by IS NOT NULL);
CREATE INDEX messages_withheld ON messages (user_id, withheld_at) WHERE (withheld_at IS NOT NULL);
CREATE INDEX messages_words ON messages USING gin (words) WITH (fastupdate=off);
CREATE TRIGGER messages_count_changed_bytes AFTER UPDATE OF content
    ON messages
    FOR EACH ROW WHEN ((octet_length(old.content) <> octet_length(new.content)))
    EXECUTE FUNCTION count_changed_message_bytes();
CREATE TRIGGER messages_count_new_bytes AFTER INSERT
    ON messages REFERENCING NEW TABLE AS added_messages FOR EACH STATEMENT
    EXECUTE FUNCTION count_new_message_bytes();
CREATE TRIGGER messages_insert_unembedded AFTER INSERT
    ON messages
    FOR EACH ROW WHEN (((new.status <> 'streaming'::text) AND (new.content <> ''::text) AND (NOT new.is_copy) AND (new.withheld_at IS NULL)))
    EXECUTE FUNCTION list_for_embedding();
CREATE TRIGGER messages_own_files AFTER UPDATE OF is_copy
    ON messages
    FOR EACH ROW WHEN ((old.is_copy AND (NOT new.is_copy)))
    EXECUTE FUNCTION list_own_files();
CREATE TRIGGER messages_owner BEFORE INSERT ON messages FOR EACH ROW EXECUTE FUNCTION set_owner();
CREATE TRIGGER messages_update_unembedded AFTER UPDATE OF content, status, is_copy, withheld_at
    ON messages
    FOR EACH ROW WHEN (((new.status <> 'streaming'::text) AND (new.content <> ''::text) AND (NOT new.is_copy) AND (new.withheld_at IS NULL) AND ((new.content IS DISTINCT FROM old.content) OR (new.status IS DISTINCT FROM old.status) OR (new.is_copy IS DISTINCT FROM old.is_copy) OR (new.withheld_at IS DISTINCT FROM old.withheld_at))))
    EXECUTE FUNCTION list_for_embedding();
ALTER TABLE messages ENABLE ROW LEVEL SECURITY;
CREATE POLICY own_rows
    ON messages USING ((user_id = current_setting('throughline.user_id'::text, true)));
CREATE POLICY upkeep ON messages TO throughline_upkeep USING (true);

CREATE TABLE attachments (
    attachment_id uuid DEFAULT gen_random_uuid() NOT NULL,
    user_id text NOT NULL,
    conversation_id uuid,
    sequence_number integer,
    "position" smallint DEFAULT 0 NOT NULL,
    name text NOT NULL,
    kind text NOT NULL,
    media_type text NOT NULL,
    byte_count integer NOT NULL,
    text_byte_count integer DEFAULT 0 NOT NULL,
    width integer,
    height integer,
    created_at timestamp with time zone DEFAULT now() NOT NULL,
    CONSTRAINT attachments_byte_count_check CHECK ((byte_count > 0)),
    CONSTRAINT attachments_check CHECK (((conversation_id IS NULL) = (sequence_number IS NULL))),
    CONSTRAINT attachments_kind_check CHECK ((kind = ANY (ARRAY['text'::text, 'pdf'::text, 'image'::text]))),
    CONSTRAINT attachments_name_check CHECK ((name <> ''::text)),
    CONSTRAINT attachments_owned UNIQUE (attachment_id, user_id),
    CONSTRAINT attachments_pkey PRIMARY KEY (attachment_id),
    CONSTRAINT attachments_conversation_id_owned FOREIGN KEY (conversation_id, user_id) REFERENCES conversations(conversation_id, user_id) ON DELETE CASCADE,
    CONSTRAINT attachments_conversation_id_sequence_number_fkey FOREIGN KEY (conversation_id, sequence_number) REFERENCES messages(conversation_id, sequence_number) ON DELETE CASCADE,
    CONSTRAINT attachments_user_id_fkey FOREIGN KEY (user_id) REFERENCES users(user_id) ON DELETE CASCADE
);
ALTER TABLE ONLY attachments ALTER COLUMN name SET STATISTICS 0;
ALTER TABLE ONLY attachments ALTER COLUMN kind SET STATISTICS 0;
ALTER TABLE ONLY attachments ALTER COLUMN media_type SET STATISTICS 0;
ALTER TABLE ONLY attachments FORCE ROW LEVEL SECURITY;
CREATE INDEX attachments_by_message
    ON attachments (conversation_id, sequence_number)
    WHERE (conversation_id IS NOT NULL);
CREATE INDEX attachments_by_user ON attachments (user_id);
CREATE INDEX attachments_unsent ON attachments (created_at) WHERE (conversation_id IS NULL);
CREATE TRIGGER attachments_uncut AFTER INSERT OR UPDATE OF conversation_id
    ON attachments
    FOR EACH ROW WHEN (((new.conversation_id IS NOT NULL) AND (new.text_byte_count > 0)))
    EXECUTE FUNCTION list_for_cutting();
ALTER TABLE attachments ENABLE ROW LEVEL SECURITY;
CREATE POLICY own_rows
    ON attachments USING ((user_id = current_setting('throughline.user_id'::text, true)));
CREATE POLICY upkeep ON attachments TO throughline_upkeep USING (true);

CREATE TABLE attachment_contents (
    attachment_id uuid NOT NULL,
    user_id text NOT NULL,
    content bytea NOT NULL,
    text text,
    CONSTRAINT attachment_contents_pkey PRIMARY KEY (attachment_id),
    CONSTRAINT attachment_contents_attachment_id_owned FOREIGN KEY (attachment_id, user_id) REFERENCES attachments(attachment_id, user_id) ON DELETE CASCADE
);
ALTER TABLE ONLY attachment_contents ALTER COLUMN content SET STATISTICS 0;
ALTER TABLE ONLY attachment_contents ALTER COLUMN content SET STORAGE EXTERNAL;
ALTER TABLE ONLY attachment_contents ALTER COLUMN text SET STATISTICS 0;
ALTER TABLE ONLY attachment_contents FORCE ROW LEVEL SECURITY;
CREATE INDEX attachment_contents_by_user ON attachment_contents (user_id);
ALTER TABLE attachment_contents ENABLE ROW LEVEL SECURITY;
CREATE POLICY own_rows
    ON attachment_contents USING ((user_id = current_setting('throughline.user_id'::text, true)));
CREATE POLICY upkeep ON attachment_contents TO throughline_upkeep USING (true);

CREATE TABLE audit_events (
    event_id bigint DEFAULT new_id() NOT NULL,
    at timestamp with time zone DEFAULT now() NOT NULL,
    user_id text NOT NULL,
    actor_id text,
    action text NOT NULL,
    object_kind text,
    object_id text,
    token_id bigint,
    request_id text,
    address text,
    CONSTRAINT audit_events_pkey PRIMARY KEY (event_id)
);
ALTER TABLE ONLY audit_events ALTER COLUMN actor_id SET STATISTICS 0;
ALTER TABLE ONLY audit_events ALTER COLUMN action SET STATISTICS 0;
ALTER TABLE ONLY audit_events ALTER COLUMN object_kind SET STATISTICS 0;
ALTER TABLE ONLY audit_events ALTER COLUMN object_id SET STATISTICS 0;
ALTER TABLE ONLY audit_events ALTER COLUMN request_id SET STATISTICS 0;
ALTER TABLE ONLY audit_events ALTER COLUMN address SET STATISTICS 0;
ALTER TABLE ONLY audit_events FORCE ROW LEVEL SECURITY;
CREATE INDEX audit_events_by_actor ON audit_events (actor_id, event_id);
CREATE INDEX audit_events_by_age ON audit_events (at);
CREATE INDEX audit_events_by_user ON audit_events (user_id, event_id);
CREATE POLICY additions ON audit_events FOR INSERT WITH CHECK (true);
ALTER TABLE audit_events ENABLE ROW LEVEL SECURITY;
CREATE POLICY own_rows
    ON audit_events USING ((user_id = current_setting('throughline.user_id'::text, true)));
CREATE POLICY upkeep ON audit_events TO throughline_upkeep USING (true);

CREATE TABLE backups (
    outcome text NOT NULL,
    begun_at timestamp with time zone NOT NULL,
    ended_at timestamp with time zone DEFAULT now() NOT NULL,
    byte_count bigint,
    has_secrets boolean,
    reason text,
    CONSTRAINT backups_byte_count_check CHECK ((byte_count > 0)),
    CONSTRAINT backups_check CHECK (((outcome = 'made'::text) = ((byte_count IS NOT NULL) AND (has_secrets IS NOT NULL)))),
    CONSTRAINT backups_check1 CHECK (((outcome = 'failed'::text) = (reason IS NOT NULL))),
    CONSTRAINT backups_outcome_check CHECK ((outcome = ANY (ARRAY['made'::text, 'failed'::text]))),
    CONSTRAINT backups_pkey PRIMARY KEY (outcome)
);
ALTER TABLE ONLY backups ALTER COLUMN outcome SET STATISTICS 0;
ALTER TABLE ONLY backups ALTER COLUMN reason SET STATISTICS 0;
ALTER TABLE ONLY backups FORCE ROW LEVEL SECURITY;
ALTER TABLE backups ENABLE ROW LEVEL SECURITY;
CREATE POLICY upkeep ON backups TO throughline_upkeep USING (true);

CREATE TABLE client_turns (
    conversation_id uuid NOT NULL,
    sequence_number integer NOT NULL,
    user_id text NOT NULL,
    digest text NOT NULL,
    chain text,
    payload jsonb,
    CONSTRAINT client_turns_pkey PRIMARY KEY (conversation_id, sequence_number),
    CONSTRAINT client_turns_conversation_id_owned FOREIGN KEY (conversation_id, user_id) REFERENCES conversations(conversation_id, user_id) ON DELETE CASCADE,
    CONSTRAINT client_turns_conversation_id_sequence_number_fkey FOREIGN KEY (conversation_id, sequence_number) REFERENCES messages(conversation_id, sequence_number) ON DELETE CASCADE
);
ALTER TABLE ONLY client_turns ALTER COLUMN digest SET STATISTICS 0;
ALTER TABLE ONLY client_turns ALTER COLUMN chain SET STATISTICS 0;
ALTER TABLE ONLY client_turns ALTER COLUMN payload SET STATISTICS 0;
ALTER TABLE ONLY client_turns FORCE ROW LEVEL SECURITY;
CREATE INDEX client_turns_by_chain ON client_turns (user_id, chain) WHERE (chain IS NOT NULL);
CREATE INDEX client_turns_by_digest ON client_turns (user_id, digest);
ALTER TABLE client_turns ENABLE ROW LEVEL SECURITY;
CREATE POLICY own_rows
    ON client_turns USING ((user_id = current_setting('throughline.user_id'::text, true)));
CREATE POLICY upkeep ON client_turns TO throughline_upkeep USING (true);

CREATE TABLE episodic_memory (
    id bigint DEFAULT new_id() NOT NULL,
    user_id text NOT NULL,
    conversation_id uuid NOT NULL,
    turn_start integer NOT NULL,
    turn_end integer NOT NULL,
    turn_range text GENERATED ALWAYS AS ((((turn_start)::text || '-'::text) || (turn_end)::text)) STORED NOT NULL,
    summary text,
    key_concepts text[] DEFAULT '{}'::text[] NOT NULL,
    embedding vector(384),
    embedding_model text,
    started_at timestamp with time zone,
    ended_at timestamp with time zone,
    model text,
    prompt_version text,
    status text NOT NULL,
    attempts integer DEFAULT 0 NOT NULL,
    dispatch_count integer DEFAULT 1 NOT NULL,
    fencing_token bigint,
    lease_until timestamp with time zone NOT NULL,
    error text,
    created_at timestamp with time zone DEFAULT now() NOT NULL,
    finished_at timestamp with time zone,
    begun_at timestamp with time zone,
    in_backlog boolean DEFAULT false NOT NULL,
    words tsvector GENERATED ALWAYS AS (said_words(((COALESCE(summary, ''::text) || ' '::text) || join_words(key_concepts)))) STORED,
    parts jsonb,
    CONSTRAINT episodic_memory_check CHECK (((0 <= turn_start) AND (turn_start <= turn_end))),
    CONSTRAINT episodic_memory_check1 CHECK (((status <> 'completed'::text) OR (summary IS NOT NULL))),
    CONSTRAINT episodic_memory_status_check CHECK ((status = ANY (ARRAY['processing'::text, 'completed'::text, 'failed'::text, 'deleted'::text]))),
    CONSTRAINT episodic_memory_pkey PRIMARY KEY (id),
    CONSTRAINT episodic_memory_conversation_id_owned FOREIGN KEY (conversation_id, user_id) REFERENCES conversations(conversation_id, user_id) ON DELETE CASCADE,
    CONSTRAINT episodic_memory_user_id_fkey FOREIGN KEY (user_id) REFERENCES users(user_id) ON DELETE CASCADE
)
WITH (toast_tuple_target='4080');
ALTER TABLE ONLY episodic_memory ALTER COLUMN turn_range SET STATISTICS 0;
ALTER TABLE ONLY episodic_memory ALTER COLUMN summary SET STATISTICS 0;
ALTER TABLE ONLY episodic_memory ALTER COLUMN key_concepts SET STATISTICS 0;
ALTER TABLE ONLY episodic_memory ALTER COLUMN embedding SET STATISTICS 0;
ALTER TABLE ONLY episodic_memory ALTER COLUMN model SET STATISTICS 0;
ALTER TABLE ONLY episodic_memory ALTER COLUMN prompt_version SET STATISTICS 0;
ALTER TABLE ONLY episodic_memory ALTER COLUMN error SET STATISTICS 0;
ALTER TABLE ONLY episodic_memory ALTER COLUMN words SET STATISTICS 0;
ALTER TABLE ONLY episodic_memory ALTER COLUMN parts SET STATISTICS 0;
ALTER TABLE ONLY episodic_memory FORCE ROW LEVEL SECURITY;
CREATE INDEX episodic_memory_by_user ON episodic_memory (user_id);
CREATE INDEX episodic_memory_finished ON episodic_memory (finished_at);
CREATE INDEX episodic_memory_leases
    ON episodic_memory (lease_until)
    WHERE (status = 'processing'::text);
CREATE INDEX episodic_memory_nearest ON episodic_memory USING hnsw (embedding vector_cosine_ops);
CREATE INDEX episodic_memory_newest ON episodic_memory (conversation_id, status, turn_end DESC);
CREATE UNIQUE INDEX episodic_memory_no_overlap
    ON episodic_memory (conversation_id, turn_start)
    WHERE (status = 'completed'::text);
CREATE UNIQUE INDEX episodic_memory_one_processing
    ON episodic_memory (conversation_id)
    WHERE (status = 'processing'::text);
CREATE INDEX episodic_memory_unembedded
    ON episodic_memory (id)
    WHERE ((status = 'completed'::text) AND (embedding IS NULL));
CREATE INDEX episodic_memory_words ON episodic_memory USING gin (words);
ALTER TABLE episodic_memory ENABLE ROW LEVEL SECURITY;
CREATE POLICY own_rows
    ON episodic_memory USING ((user_id = current_setting('throughline.user_id'::text, true)));
CREATE POLICY upkeep ON episodic_memory TO throughline_upkeep USING (true);

CREATE TABLE events (
    event_id bigint DEFAULT new_id() NOT NULL,
    user_id text NOT NULL,
    type text NOT NULL,
    data jsonb NOT NULL,
    occurred_at timestamp with time zone DEFAULT now() NOT NULL,
    CONSTRAINT events_pkey PRIMARY KEY (event_id),
    CONSTRAINT events_user_id_event_id_key UNIQUE (user_id, event_id),
    CONSTRAINT events_user_id_fkey FOREIGN KEY (user_id) REFERENCES users(user_id) ON DELETE CASCADE
);
ALTER TABLE ONLY events ALTER COLUMN type SET STATISTICS 0;
ALTER TABLE ONLY events ALTER COLUMN data SET STATISTICS 0;
ALTER TABLE ONLY events FORCE ROW LEVEL SECURITY;
CREATE INDEX events_by_age ON events (occurred_at);
ALTER TABLE events ENABLE ROW LEVEL SECURITY;
CREATE POLICY own_rows
    ON events USING ((user_id = current_setting('throughline.user_id'::text, true)));
CREATE POLICY upkeep ON events TO throughline_upkeep USING (true);

CREATE TABLE examinations (
    model text NOT NULL,
    server text NOT NULL,
    prompt_version text NOT NULL,
    begun_at timestamp with time zone DEFAULT now() NOT NULL,
    asked_count smallint DEFAULT 0 NOT NULL,
    traps smallint DEFAULT 0 NOT NULL,
    believed smallint DEFAULT 0 NOT NULL,
    plain smallint DEFAULT 0 NOT NULL,
    lost smallint DEFAULT 0 NOT NULL,
    is_done boolean DEFAULT false NOT NULL,
    CONSTRAINT examinations_pkey PRIMARY KEY (model, server)
);
ALTER TABLE ONLY examinations ALTER COLUMN model SET STATISTICS 0;
ALTER TABLE ONLY examinations ALTER COLUMN server SET STATISTICS 0;
ALTER TABLE ONLY examinations ALTER COLUMN prompt_version SET STATISTICS 0;

CREATE TABLE fact_extractions (
    id bigint DEFAULT new_id() NOT NULL,
    conversation_id uuid NOT NULL,
    user_id text NOT NULL,
    start_sequence integer NOT NULL,
    end_sequence integer NOT NULL,
    model text,
    prompt_version text,
    status text NOT NULL,
    attempts integer DEFAULT 0 NOT NULL,
    dispatch_count integer DEFAULT 1 NOT NULL,
    fencing_token bigint,
    lease_until timestamp with time zone NOT NULL,
    error text,
    created_at timestamp with time zone DEFAULT now() NOT NULL,
    finished_at timestamp with time zone,
    begun_at timestamp with time zone,
    in_backlog boolean DEFAULT false NOT NULL,
    CONSTRAINT fact_extractions_check CHECK (((0 <= start_sequence) AND (start_sequence <= end_sequence))),
    CONSTRAINT fact_extractions_status_check CHECK ((status = ANY (ARRAY['processing'::text, 'completed'::text, 'failed'::text]))),
    CONSTRAINT fact_extractions_pkey PRIMARY KEY (id),
    CONSTRAINT fact_extractions_conversation_id_owned FOREIGN KEY (conversation_id, user_id) REFERENCES conversations(conversation_id, user_id) ON DELETE CASCADE,
    CONSTRAINT fact_extractions_user_id_fkey FOREIGN KEY (user_id) REFERENCES users(user_id) ON DELETE CASCADE
);
ALTER TABLE ONLY fact_extractions ALTER COLUMN model SET STATISTICS 0;
ALTER TABLE ONLY fact_extractions ALTER COLUMN prompt_version SET STATISTICS 0;
ALTER TABLE ONLY fact_extractions ALTER COLUMN error SET STATISTICS 0;
ALTER TABLE ONLY fact_extractions FORCE ROW LEVEL SECURITY;
CREATE INDEX fact_extractions_by_user ON fact_extractions (user_id);
CREATE INDEX fact_extractions_finished ON fact_extractions (finished_at);
CREATE INDEX fact_extractions_leases
    ON fact_extractions (lease_until)
    WHERE (status = 'processing'::text);
CREATE INDEX fact_extractions_newest
    ON fact_extractions (conversation_id, status, end_sequence DESC);
CREATE UNIQUE INDEX fact_extractions_one_processing
    ON fact_extractions (conversation_id)
    WHERE (status = 'processing'::text);
ALTER TABLE fact_extractions ENABLE ROW LEVEL SECURITY;
CREATE POLICY own_rows
    ON fact_extractions USING ((user_id = current_setting('throughline.user_id'::text, true)));
CREATE POLICY upkeep ON fact_extractions TO throughline_upkeep USING (true);

CREATE TABLE fact_suggestions (
    id bigint DEFAULT new_id() NOT NULL,
    user_id text NOT NULL,
    category text NOT NULL,
    key text NOT NULL,
    value text,
    fingerprint text NOT NULL,
    confidence real NOT NULL,
    importance real NOT NULL,
    source_conversation_id uuid,
    source_sequence integer,
    said_at timestamp with time zone NOT NULL,
    created_at timestamp with time zone DEFAULT now() NOT NULL,
    valid_until date,
    project text DEFAULT current_project(),
    CONSTRAINT fact_suggestions_category_check CHECK ((category = ANY (ARRAY['identity'::text, 'preference'::text, 'constraint'::text, 'instruction'::text]))),
    CONSTRAINT fact_suggestions_confidence_check CHECK (((confidence >= (0)::double precision) AND (confidence <= (1)::double precision))),
    CONSTRAINT fact_suggestions_importance_check CHECK (((importance >= (0)::double precision) AND (importance <= (1)::double precision))),
    CONSTRAINT fact_suggestions_once UNIQUE NULLS NOT DISTINCT (user_id, category, key, fingerprint, project),
    CONSTRAINT fact_suggestions_pkey PRIMARY KEY (id),
    CONSTRAINT fact_suggestions_project_owned FOREIGN KEY (user_id, project) REFERENCES projects(user_id, name) ON UPDATE CASCADE ON DELETE CASCADE,
    CONSTRAINT fact_suggestions_source_conversation_id_owned FOREIGN KEY (source_conversation_id, user_id) REFERENCES conversations(conversation_id, user_id) ON DELETE CASCADE,
    CONSTRAINT fact_suggestions_user_id_fkey FOREIGN KEY (user_id) REFERENCES users(user_id) ON DELETE CASCADE
);
ALTER TABLE ONLY fact_suggestions ALTER COLUMN key SET STATISTICS 0;
ALTER TABLE ONLY fact_suggestions ALTER COLUMN value SET STATISTICS 0;
ALTER TABLE ONLY fact_suggestions ALTER COLUMN fingerprint SET STATISTICS 0;
ALTER TABLE ONLY fact_suggestions ALTER COLUMN project SET STATISTICS 0;
ALTER TABLE ONLY fact_suggestions FORCE ROW LEVEL SECURITY;
CREATE INDEX fact_suggestions_by_project
    ON fact_suggestions (user_id, project)
    WHERE (project IS NOT NULL);
CREATE UNIQUE INDEX fact_suggestions_one_open
    ON fact_suggestions (user_id, category, key, project) NULLS NOT DISTINCT
    WHERE (value IS NOT NULL);
CREATE INDEX fact_suggestions_sources
    ON fact_suggestions (source_conversation_id)
    WHERE (source_conversation_id IS NOT NULL);
ALTER TABLE fact_suggestions ENABLE ROW LEVEL SECURITY;
CREATE POLICY own_rows
    ON fact_suggestions USING (((user_id = current_setting('throughline.user_id'::text, true)) AND ((NOT (project IS DISTINCT FROM current_project())) OR (current_setting('throughline.memory'::text, true) = 'all'::text))));
CREATE POLICY upkeep ON fact_suggestions TO throughline_upkeep USING (true);

CREATE TABLE file_passages (
    passage_id bigint GENERATED ALWAYS AS IDENTITY NOT NULL,
    attachment_id uuid NOT NULL,
    number integer NOT NULL,
    user_id text NOT NULL,
    text text NOT NULL,
    is_off_record boolean NOT NULL,
    words tsvector GENERATED ALWAYS AS ((array_to_tsvector(ARRAY[owner_word(user_id)]) || said_words(text))) STORED,
    embedding halfvec(384),
    token_signs bytea,
    embedding_model text,
    place text,
    CONSTRAINT file_passages_check CHECK (((embedding IS NULL) = (embedding_model IS NULL))),
    CONSTRAINT file_passages_number_check CHECK ((number >= 0)),
    CONSTRAINT file_passages_place_check CHECK ((place <> ''::text)),
    CONSTRAINT file_passages_text_check CHECK ((text <> ''::text)),
    CONSTRAINT file_passages_numbered UNIQUE (attachment_id, number),
    CONSTRAINT file_passages_pkey PRIMARY KEY (passage_id),
    CONSTRAINT file_passages_attachment_id_owned FOREIGN KEY (attachment_id, user_id) REFERENCES attachments(attachment_id, user_id) ON DELETE CASCADE
);
ALTER TABLE ONLY file_passages ALTER COLUMN text SET STATISTICS 0;
ALTER TABLE ONLY file_passages ALTER COLUMN words SET STATISTICS 0;
ALTER TABLE ONLY file_passages ALTER COLUMN embedding SET STATISTICS 0;
ALTER TABLE ONLY file_passages ALTER COLUMN token_signs SET STATISTICS 0;
ALTER TABLE ONLY file_passages ALTER COLUMN token_signs SET STORAGE EXTERNAL;
ALTER TABLE ONLY file_passages ALTER COLUMN place SET STATISTICS 0;
ALTER TABLE ONLY file_passages FORCE ROW LEVEL SECURITY;
CREATE INDEX file_passages_by_model ON file_passages (embedding_model, passage_id);
CREATE INDEX file_passages_by_user ON file_passages (user_id);
CREATE INDEX file_passages_nearest ON file_passages USING hnsw (embedding halfvec_cosine_ops);
CREATE INDEX file_passages_unembedded
    ON file_passages (passage_id)
    WHERE ((embedding_model IS NULL) AND (NOT is_off_record));
CREATE INDEX file_passages_words ON file_passages USING gin (words) WITH (fastupdate=off);
ALTER TABLE file_passages ENABLE ROW LEVEL SECURITY;
CREATE POLICY own_rows
    ON file_passages USING ((user_id = current_setting('throughline.user_id'::text, true)));
CREATE POLICY upkeep ON file_passages TO throughline_upkeep USING (true);

CREATE TABLE forgotten_facts (
    user_id text NOT NULL,
    category text NOT NULL,
    key text NOT NULL,
    fingerprint text NOT NULL,
    said_until timestamp with time zone NOT NULL,
    forgotten_at timestamp with time zone DEFAULT now() NOT NULL,
    CONSTRAINT forgotten_facts_pkey PRIMARY KEY (user_id, category, key, fingerprint),
    CONSTRAINT forgotten_facts_user_id_fkey FOREIGN KEY (user_id) REFERENCES users(user_id) ON DELETE CASCADE
);
ALTER TABLE ONLY forgotten_facts ALTER COLUMN key SET STATISTICS 0;
ALTER TABLE ONLY forgotten_facts ALTER COLUMN fingerprint SET STATISTICS 0;
ALTER TABLE ONLY forgotten_facts FORCE ROW LEVEL SECURITY;
ALTER TABLE forgotten_facts ENABLE ROW LEVEL SECURITY;
CREATE POLICY own_rows
    ON forgotten_facts USING ((user_id = current_setting('throughline.user_id'::text, true)));
CREATE POLICY upkeep ON forgotten_facts TO throughline_upkeep USING (true);

CREATE TABLE id_salt (
    salt uuid DEFAULT gen_random_uuid() NOT NULL,
    CONSTRAINT id_salt_pkey PRIMARY KEY (salt)
);

CREATE TABLE kept_answers (
    user_id text NOT NULL,
    key_hash bytea NOT NULL,
    request_hash bytea,
    status smallint,
    body bytea,
    held_until timestamp with time zone NOT NULL,
    created_at timestamp with time zone DEFAULT now() NOT NULL,
    CONSTRAINT kept_answers_key_hash_check CHECK ((octet_length(key_hash) = 32)),
    CONSTRAINT kept_answers_pkey PRIMARY KEY (user_id, key_hash)
);
ALTER TABLE ONLY kept_answers ALTER COLUMN key_hash SET STATISTICS 0;
ALTER TABLE ONLY kept_answers ALTER COLUMN request_hash SET STATISTICS 0;
ALTER TABLE ONLY kept_answers ALTER COLUMN body SET STATISTICS 0;
ALTER TABLE ONLY kept_answers FORCE ROW LEVEL SECURITY;
CREATE INDEX kept_answers_by_age ON kept_answers (created_at);
ALTER TABLE kept_answers ENABLE ROW LEVEL SECURITY;
CREATE POLICY own_rows
    ON kept_answers USING ((user_id = current_setting('throughline.user_id'::text, true)));
CREATE POLICY upkeep ON kept_answers TO throughline_upkeep USING (true);

CREATE TABLE memory (
    memory_id bigint DEFAULT new_id() NOT NULL,
    conversation_id uuid NOT NULL,
    start_sequence integer NOT NULL,
    end_sequence integer NOT NULL,
    base_memory_id bigint,
    memory_text text,
    points jsonb,
    model text,
    prompt_version text,
    generation_time_ms integer,
    status text NOT NULL,
    attempts integer DEFAULT 0 NOT NULL,
    dispatch_count integer DEFAULT 1 NOT NULL,
    fencing_token bigint,
    lease_until timestamp with time zone NOT NULL,
    error text,
    created_at timestamp with time zone DEFAULT now() NOT NULL,
    finished_at timestamp with time zone,
    begun_at timestamp with time zone,
    in_backlog boolean DEFAULT false NOT NULL,
    user_id text NOT NULL,
    parts jsonb,
    CONSTRAINT memory_check CHECK (((0 <= start_sequence) AND (start_sequence <= end_sequence))),
    CONSTRAINT memory_check1 CHECK (((status <> 'completed'::text) OR ((memory_text IS NOT NULL) AND (points IS NOT NULL)))),
    CONSTRAINT memory_status_check CHECK ((status = ANY (ARRAY['processing'::text, 'completed'::text, 'failed'::text]))),
    CONSTRAINT memory_owned UNIQUE (memory_id, user_id),
    CONSTRAINT memory_pkey PRIMARY KEY (memory_id),
    CONSTRAINT memory_base_memory_id_owned FOREIGN KEY (base_memory_id, user_id) REFERENCES memory(memory_id, user_id) ON DELETE SET NULL (base_memory_id),
    CONSTRAINT memory_conversation_id_owned FOREIGN KEY (conversation_id, user_id) REFERENCES conversations(conversation_id, user_id) ON DELETE CASCADE
);
ALTER TABLE ONLY memory ALTER COLUMN memory_text SET STATISTICS 0;
ALTER TABLE ONLY memory ALTER COLUMN points SET STATISTICS 0;
ALTER TABLE ONLY memory ALTER COLUMN model SET STATISTICS 0;
ALTER TABLE ONLY memory ALTER COLUMN prompt_version SET STATISTICS 0;
ALTER TABLE ONLY memory ALTER COLUMN error SET STATISTICS 0;
ALTER TABLE ONLY memory ALTER COLUMN parts SET STATISTICS 0;
ALTER TABLE ONLY memory FORCE ROW LEVEL SECURITY;
CREATE INDEX memory_bases ON memory (base_memory_id);
CREATE INDEX memory_finished ON memory (finished_at);
CREATE INDEX memory_leases ON memory (lease_until) WHERE (status = 'processing'::text);
CREATE INDEX memory_newest ON memory (conversation_id, status, end_sequence DESC);
CREATE UNIQUE INDEX memory_one_processing
    ON memory (conversation_id)
    WHERE (status = 'processing'::text);
CREATE TRIGGER memory_owner BEFORE INSERT
    ON memory
    FOR EACH ROW WHEN ((new.user_id IS NULL))
    EXECUTE FUNCTION set_owner();
ALTER TABLE memory ENABLE ROW LEVEL SECURITY;
CREATE POLICY own_rows
    ON memory USING ((user_id = current_setting('throughline.user_id'::text, true)));
CREATE POLICY upkeep ON memory TO throughline_upkeep USING (true);

CREATE TABLE message_embeddings (
    user_id text NOT NULL,
    conversation_id uuid NOT NULL,
    sequence_number integer NOT NULL,
    embedding halfvec(384) NOT NULL,
    embedding_model text NOT NULL,
    token_signs bytea,
    CONSTRAINT message_embeddings_pkey PRIMARY KEY (conversation_id, sequence_number),
    CONSTRAINT message_embeddings_conversation_id_owned FOREIGN KEY (conversation_id, user_id) REFERENCES conversations(conversation_id, user_id) ON DELETE CASCADE,
    CONSTRAINT message_embeddings_conversation_id_sequence_number_fkey FOREIGN KEY (conversation_id, sequence_number) REFERENCES messages(conversation_id, sequence_number) ON DELETE CASCADE
)
WITH (toast_tuple_target='1024');
ALTER TABLE ONLY message_embeddings ALTER COLUMN embedding SET STATISTICS 0;
ALTER TABLE ONLY message_embeddings ALTER COLUMN token_signs SET STATISTICS 0;
ALTER TABLE ONLY message_embeddings ALTER COLUMN token_signs SET STORAGE EXTERNAL;
ALTER TABLE ONLY message_embeddings FORCE ROW LEVEL SECURITY;
CREATE INDEX message_embeddings_by_model
    ON message_embeddings (embedding_model, conversation_id, sequence_number);
CREATE INDEX message_embeddings_by_user ON message_embeddings (user_id);
CREATE INDEX message_embeddings_nearest
    ON message_embeddings USING hnsw (embedding halfvec_cosine_ops);
ALTER TABLE message_embeddings ENABLE ROW LEVEL SECURITY;
CREATE POLICY own_rows
    ON message_embeddings USING ((user_id = current_setting('throughline.user_id'::text, true)));
CREATE POLICY upkeep ON message_embeddings TO throughline_upkeep USING (true);

CREATE TABLE oauth_grants (
    grant_id bigint DEFAULT new_id() NOT NULL,
    user_id text NOT NULL,
    client_hash bytea NOT NULL,
    client_name text NOT NULL,
    scopes text[] NOT NULL,
    redirect_uri text NOT NULL,
    names_redirect boolean NOT NULL,
    code_challenge text NOT NULL,
    is_code boolean DEFAULT true NOT NULL,
    secret_hash bytea NOT NULL,
    spent_hashes bytea[] DEFAULT '{}'::bytea[] NOT NULL,
    token_id bigint,
    created_at timestamp with time zone DEFAULT now() NOT NULL,
    expires_at timestamp with time zone NOT NULL,
    CONSTRAINT oauth_grants_client_hash_check CHECK ((octet_length(client_hash) = 32)),
    CONSTRAINT oauth_grants_secret_hash_check CHECK ((octet_length(secret_hash) = 32)),
    CONSTRAINT oauth_grants_pkey PRIMARY KEY (grant_id),
    CONSTRAINT oauth_grants_secret_hash_key UNIQUE (secret_hash),
    CONSTRAINT oauth_grants_token_id_owned FOREIGN KEY (token_id, user_id) REFERENCES api_tokens(token_id, user_id) ON DELETE SET NULL (token_id),
    CONSTRAINT oauth_grants_user_id_fkey FOREIGN KEY (user_id) REFERENCES users(user_id) ON DELETE CASCADE
);
ALTER TABLE ONLY oauth_grants ALTER COLUMN client_hash SET STATISTICS 0;
ALTER TABLE ONLY oauth_grants ALTER COLUMN client_name SET STATISTICS 0;
ALTER TABLE ONLY oauth_grants ALTER COLUMN scopes SET STATISTICS 0;
ALTER TABLE ONLY oauth_grants ALTER COLUMN redirect_uri SET STATISTICS 0;
ALTER TABLE ONLY oauth_grants ALTER COLUMN code_challenge SET STATISTICS 0;
ALTER TABLE ONLY oauth_grants ALTER COLUMN secret_hash SET STATISTICS 0;
ALTER TABLE ONLY oauth_grants ALTER COLUMN spent_hashes SET STATISTICS 0;
ALTER TABLE ONLY oauth_grants FORCE ROW LEVEL SECURITY;
CREATE INDEX oauth_grants_by_token ON oauth_grants (token_id);
CREATE INDEX oauth_grants_by_user ON oauth_grants (user_id);
ALTER TABLE oauth_grants ENABLE ROW LEVEL SECURITY;
CREATE POLICY own_rows
    ON oauth_grants USING ((user_id = current_setting('throughline.user_id'::text, true)));
CREATE POLICY upkeep ON oauth_grants TO throughline_upkeep USING (true);

CREATE TABLE prompts (
    prompt_id bigint DEFAULT new_id() NOT NULL,
    user_id text NOT NULL,
    name text NOT NULL,
    text text NOT NULL,
    created_at timestamp with time zone DEFAULT now() NOT NULL,
    CONSTRAINT prompts_pkey PRIMARY KEY (prompt_id),
    CONSTRAINT prompts_user_id_name_key UNIQUE (user_id, name),
    CONSTRAINT prompts_user_id_fkey FOREIGN KEY (user_id) REFERENCES users(user_id) ON DELETE CASCADE
);
ALTER TABLE ONLY prompts ALTER COLUMN name SET STATISTICS 0;
ALTER TABLE ONLY prompts ALTER COLUMN text SET STATISTICS 0;
ALTER TABLE ONLY prompts FORCE ROW LEVEL SECURITY;
CREATE POLICY own_rows
    ON prompts USING ((user_id = current_setting('throughline.user_id'::text, true)));
ALTER TABLE prompts ENABLE ROW LEVEL SECURITY;
CREATE POLICY upkeep ON prompts TO throughline_upkeep USING (true);

CREATE TABLE recovery_codes (
    account_id text NOT NULL,
    code_hash bytea NOT NULL,
    CONSTRAINT recovery_codes_pkey PRIMARY KEY (account_id, code_hash),
    CONSTRAINT recovery_codes_account_id_fkey FOREIGN KEY (account_id) REFERENCES accounts(account_id) ON DELETE CASCADE
);
ALTER TABLE ONLY recovery_codes ALTER COLUMN account_id SET STATISTICS 0;
ALTER TABLE ONLY recovery_codes ALTER COLUMN code_hash SET STATISTICS 0;

CREATE TABLE reply_variants (
    user_id text NOT NULL,
    conversation_id uuid NOT NULL,
    sequence_number integer NOT NULL,
    variant integer NOT NULL,
    content text NOT NULL,
    status text NOT NULL,
    finish_reason text,
    model text,
    error text,
    trace jsonb,
    rating smallint,
    created_at timestamp with time zone NOT NULL,
    CONSTRAINT reply_variants_content_check CHECK ((content <> ''::text)),
    CONSTRAINT reply_variants_finish_reason_check CHECK ((finish_reason = ANY (ARRAY['stop'::text, 'length'::text, 'content_filter'::text, 'cancelled'::text, 'error'::text]))),
    CONSTRAINT reply_variants_rating_check CHECK ((rating = ANY (ARRAY['-1'::integer, 1]))),
    CONSTRAINT reply_variants_status_check CHECK ((status = ANY (ARRAY['complete'::text, 'partial'::text, 'failed'::text]))),
    CONSTRAINT reply_variants_variant_check CHECK ((variant > 0)),
    CONSTRAINT reply_variants_pkey PRIMARY KEY (conversation_id, sequence_number, variant),
    CONSTRAINT reply_variants_conversation_id_owned FOREIGN KEY (conversation_id, user_id) REFERENCES conversations(conversation_id, user_id) ON DELETE CASCADE,
    CONSTRAINT reply_variants_conversation_id_sequence_number_fkey FOREIGN KEY (conversation_id, sequence_number) REFERENCES messages(conversation_id, sequence_number) ON DELETE CASCADE
);
ALTER TABLE ONLY reply_variants ALTER COLUMN content SET STATISTICS 0;
ALTER TABLE ONLY reply_variants ALTER COLUMN finish_reason SET STATISTICS 0;
ALTER TABLE ONLY reply_variants ALTER COLUMN model SET STATISTICS 0;
ALTER TABLE ONLY reply_variants ALTER COLUMN error SET STATISTICS 0;
ALTER TABLE ONLY reply_variants ALTER COLUMN trace SET STATISTICS 0;
ALTER TABLE ONLY reply_variants FORCE ROW LEVEL SECURITY;
CREATE INDEX reply_variants_by_user ON reply_variants (user_id);
CREATE TRIGGER reply_variants_count_gone_bytes AFTER DELETE
    ON reply_variants REFERENCING OLD TABLE AS gone_variants FOR EACH STATEMENT
    EXECUTE FUNCTION count_gone_variant_bytes();
CREATE TRIGGER reply_variants_count_new_bytes AFTER INSERT
    ON reply_variants REFERENCING NEW TABLE AS added_messages FOR EACH STATEMENT
    EXECUTE FUNCTION count_new_message_bytes();
CREATE POLICY own_rows
    ON reply_variants USING ((user_id = current_setting('throughline.user_id'::text, true)));
ALTER TABLE reply_variants ENABLE ROW LEVEL SECURITY;
CREATE POLICY upkeep ON reply_variants TO throughline_upkeep USING (true);

CREATE TABLE request_limits (
    name text NOT NULL,
    server text NOT NULL,
    part text NOT NULL,
    tokens integer,
    CONSTRAINT request_limits_pkey PRIMARY KEY (name, server, part)
);
ALTER TABLE ONLY request_limits ALTER COLUMN name SET STATISTICS 0;
ALTER TABLE ONLY request_limits ALTER COLUMN server SET STATISTICS 0;
ALTER TABLE ONLY request_limits ALTER COLUMN part SET STATISTICS 0;

CREATE TABLE responses (
    response_id text NOT NULL,
    user_id text NOT NULL,
    conversation_id uuid NOT NULL,
    sequence_number integer NOT NULL,
    request jsonb NOT NULL,
    created_at timestamp with time zone DEFAULT now() NOT NULL,
    CONSTRAINT responses_pkey PRIMARY KEY (response_id),
    CONSTRAINT responses_conversation_id_owned FOREIGN KEY (conversation_id, user_id) REFERENCES conversations(conversation_id, user_id) ON DELETE CASCADE,
    CONSTRAINT responses_conversation_id_sequence_number_fkey FOREIGN KEY (conversation_id, sequence_number) REFERENCES messages(conversation_id, sequence_number) ON DELETE CASCADE,
    CONSTRAINT responses_user_id_fkey FOREIGN KEY (user_id) REFERENCES users(user_id) ON DELETE CASCADE
);
ALTER TABLE ONLY responses ALTER COLUMN response_id SET STATISTICS 0;
ALTER TABLE ONLY responses ALTER COLUMN request SET STATISTICS 0;
ALTER TABLE ONLY responses FORCE ROW LEVEL SECURITY;
CREATE INDEX responses_by_message ON responses (conversation_id, sequence_number);
CREATE INDEX responses_by_user ON responses (user_id);
CREATE POLICY own_rows
    ON responses USING ((user_id = current_setting('throughline.user_id'::text, true)));
ALTER TABLE responses ENABLE ROW LEVEL SECURITY;
CREATE POLICY upkeep ON responses TO throughline_upkeep USING (true);

CREATE TABLE shares (
    share_id bigint DEFAULT new_id() NOT NULL,
    user_id text NOT NULL,
    conversation_id uuid NOT NULL,
    token_hash bytea NOT NULL,
    until_sequence integer NOT NULL,
    created_at timestamp with time zone DEFAULT now() NOT NULL,
    expires_at timestamp with time zone,
    CONSTRAINT shares_token_hash_check CHECK ((octet_length(token_hash) = 32)),
    CONSTRAINT shares_until_sequence_check CHECK ((until_sequence >= 0)),
    CONSTRAINT shares_pkey PRIMARY KEY (share_id),
    CONSTRAINT shares_token_hash_key UNIQUE (token_hash),
    CONSTRAINT shares_conversation_id_owned FOREIGN KEY (conversation_id, user_id) REFERENCES conversations(conversation_id, user_id) ON DELETE CASCADE
);
ALTER TABLE ONLY shares ALTER COLUMN token_hash SET STATISTICS 0;
ALTER TABLE ONLY shares FORCE ROW LEVEL SECURITY;
CREATE INDEX shares_by_conversation ON shares (conversation_id);
CREATE INDEX shares_by_user ON shares (user_id, share_id);
CREATE POLICY own_rows
    ON shares USING ((user_id = current_setting('throughline.user_id'::text, true)));
ALTER TABLE shares ENABLE ROW LEVEL SECURITY;
CREATE POLICY upkeep ON shares TO throughline_upkeep USING (true);

CREATE TABLE site (
    is_only boolean DEFAULT true NOT NULL,
    site_id uuid DEFAULT gen_random_uuid() NOT NULL,
    pulse double precision DEFAULT 0 NOT NULL,
    place text DEFAULT ''::text NOT NULL,
    CONSTRAINT site_is_only_check CHECK (is_only),
    CONSTRAINT site_pkey PRIMARY KEY (is_only)
);
ALTER TABLE ONLY site ALTER COLUMN site_id SET STATISTICS 0;
ALTER TABLE ONLY site ALTER COLUMN pulse SET STATISTICS 0;
ALTER TABLE ONLY site ALTER COLUMN place SET STATISTICS 0;

CREATE TABLE site_models (
    model_id bigint GENERATED ALWAYS AS IDENTITY NOT NULL,
    name text NOT NULL,
    protocol text NOT NULL,
    address text,
    served_name text NOT NULL,
    sealed_key bytea,
    is_offered boolean NOT NULL,
    is_chat_default boolean NOT NULL,
    is_memory_default boolean NOT NULL,
    context_tokens integer,
    max_tokens integer,
    created_at timestamp with time zone DEFAULT now() NOT NULL,
    changed_at timestamp with time zone DEFAULT now() NOT NULL,
    trust text,
    CONSTRAINT site_models_check CHECK (((protocol = 'openai'::text) = (address IS NOT NULL))),
    CONSTRAINT site_models_protocol_check CHECK ((protocol = ANY (ARRAY['openai'::text, 'litellm'::text]))),
    CONSTRAINT site_models_trust_check CHECK ((trust = ANY (ARRAY['examined'::text, 'always'::text, 'never'::text]))),
    CONSTRAINT site_models_name_key UNIQUE (name),
    CONSTRAINT site_models_pkey PRIMARY KEY (model_id)
);
ALTER TABLE ONLY site_models ALTER COLUMN name SET STATISTICS 0;
ALTER TABLE ONLY site_models ALTER COLUMN protocol SET STATISTICS 0;
ALTER TABLE ONLY site_models ALTER COLUMN address SET STATISTICS 0;
ALTER TABLE ONLY site_models ALTER COLUMN served_name SET STATISTICS 0;
ALTER TABLE ONLY site_models ALTER COLUMN sealed_key SET STATISTICS 0;
ALTER TABLE ONLY site_models ALTER COLUMN trust SET STATISTICS 0;
CREATE UNIQUE INDEX site_models_chat_default ON site_models ((true)) WHERE is_chat_default;
CREATE UNIQUE INDEX site_models_memory_default ON site_models ((true)) WHERE is_memory_default;

CREATE TABLE structured_facts (
    id bigint DEFAULT new_id() NOT NULL,
    user_id text NOT NULL,
    category text NOT NULL,
    key text NOT NULL,
    value text NOT NULL,
    confidence real NOT NULL,
    importance real NOT NULL,
    is_active boolean DEFAULT true NOT NULL,
    source_conversation_id uuid,
    source_sequence integer,
    confirmed_at_turn bigint NOT NULL,
    valid_from timestamp with time zone DEFAULT now() NOT NULL,
    valid_to timestamp with time zone,
    superseded_by bigint,
    created_at timestamp with time zone DEFAULT now() NOT NULL,
    updated_at timestamp with time zone DEFAULT now() NOT NULL,
    confirmed_at timestamp with time zone,
    tidied text,
    former_key text,
    valid_until date,
    project text DEFAULT current_project(),
    CONSTRAINT structured_facts_category_check CHECK ((category = ANY (ARRAY['identity'::text, 'preference'::text, 'constraint'::text, 'instruction'::text]))),
    CONSTRAINT structured_facts_check CHECK ((is_active = (valid_to IS NULL))),
    CONSTRAINT structured_facts_confidence_check CHECK (((confidence >= (0)::double precision) AND (confidence <= (1)::double precision))),
    CONSTRAINT structured_facts_importance_check CHECK (((importance >= (0)::double precision) AND (importance <= (1)::double precision))),
    CONSTRAINT structured_facts_tidied_check CHECK ((tidied = ANY (ARRAY['joined'::text, 'contradicted'::text, 'expired'::text]))),
    CONSTRAINT structured_facts_owned UNIQUE (id, user_id),
    CONSTRAINT structured_facts_pkey PRIMARY KEY (id),
    CONSTRAINT structured_facts_project_owned FOREIGN KEY (user_id, project) REFERENCES projects(user_id, name) ON UPDATE CASCADE ON DELETE CASCADE,
    CONSTRAINT structured_facts_source_conversation_id_owned FOREIGN KEY (source_conversation_id, user_id) REFERENCES conversations(conversation_id, user_id) ON DELETE SET NULL (source_conversation_id),
    CONSTRAINT structured_facts_superseded_by_owned FOREIGN KEY (superseded_by, user_id) REFERENCES structured_facts(id, user_id) ON DELETE SET NULL (superseded_by),
    CONSTRAINT structured_facts_user_id_fkey FOREIGN KEY (user_id) REFERENCES users(user_id) ON DELETE CASCADE
);
ALTER TABLE ONLY structured_facts ALTER COLUMN key SET STATISTICS 0;
ALTER TABLE ONLY structured_facts ALTER COLUMN value SET STATISTICS 0;
ALTER TABLE ONLY structured_facts ALTER COLUMN tidied SET STATISTICS 0;
ALTER TABLE ONLY structured_facts ALTER COLUMN former_key SET STATISTICS 0;
ALTER TABLE ONLY structured_facts ALTER COLUMN project SET STATISTICS 0;
ALTER TABLE ONLY structured_facts FORCE ROW LEVEL SECURITY;
CREATE INDEX structured_facts_by_project
    ON structured_facts (user_id, project)
    WHERE (project IS NOT NULL);
CREATE UNIQUE INDEX structured_facts_one_active
    ON structured_facts (user_id, category, key, project) NULLS NOT DISTINCT
    WHERE is_active;
CREATE INDEX structured_facts_recall ON structured_facts (user_id, importance DESC) WHERE is_active;
CREATE INDEX structured_facts_sources
    ON structured_facts (source_conversation_id)
    WHERE (source_conversation_id IS NOT NULL);
CREATE INDEX structured_facts_successors
    ON structured_facts (superseded_by)
    WHERE (superseded_by IS NOT NULL);
CREATE INDEX structured_facts_versions ON structured_facts (user_id, category, key);
CREATE POLICY own_rows
    ON structured_facts USING (((user_id = current_setting('throughline.user_id'::text, true)) AND ((NOT (project IS DISTINCT FROM current_project())) OR (current_setting('throughline.memory'::text, true) = 'all'::text))));
ALTER TABLE structured_facts ENABLE ROW LEVEL SECURITY;
CREATE POLICY upkeep ON structured_facts TO throughline_upkeep USING (true);

CREATE TABLE tidyings (
    id bigint DEFAULT new_id() NOT NULL,
    conversation_id uuid NOT NULL,
    user_id text NOT NULL,
    start_sequence integer NOT NULL,
    end_sequence integer NOT NULL,
    status text NOT NULL,
    attempts integer DEFAULT 0 NOT NULL,
    dispatch_count integer DEFAULT 1 NOT NULL,
    in_backlog boolean DEFAULT false NOT NULL,
    fencing_token bigint,
    lease_until timestamp with time zone NOT NULL,
    error text,
    created_at timestamp with time zone DEFAULT now() NOT NULL,
    begun_at timestamp with time zone,
    finished_at timestamp with time zone,
    CONSTRAINT tidyings_check CHECK (((0 <= start_sequence) AND (start_sequence <= end_sequence))),
    CONSTRAINT tidyings_status_check CHECK ((status = ANY (ARRAY['processing'::text, 'completed'::text, 'failed'::text]))),
    CONSTRAINT tidyings_pkey PRIMARY KEY (id),
    CONSTRAINT tidyings_conversation_id_owned FOREIGN KEY (conversation_id, user_id) REFERENCES conversations(conversation_id, user_id) ON DELETE CASCADE
);
ALTER TABLE ONLY tidyings ALTER COLUMN error SET STATISTICS 0;
ALTER TABLE ONLY tidyings FORCE ROW LEVEL SECURITY;
CREATE INDEX tidyings_by_conversation ON tidyings (conversation_id, status);
CREATE INDEX tidyings_by_user ON tidyings (user_id, created_at);
CREATE INDEX tidyings_finished ON tidyings (finished_at);
CREATE INDEX tidyings_leases ON tidyings (lease_until) WHERE (status = 'processing'::text);
CREATE UNIQUE INDEX tidyings_one_processing
    ON tidyings (user_id)
    WHERE (status = 'processing'::text);
CREATE POLICY own_rows
    ON tidyings USING ((user_id = current_setting('throughline.user_id'::text, true)));
ALTER TABLE tidyings ENABLE ROW LEVEL SECURITY;
CREATE POLICY upkeep ON tidyings TO throughline_upkeep USING (true);

CREATE TABLE titles (
    id bigint DEFAULT new_id() NOT NULL,
    conversation_id uuid NOT NULL,
    start_sequence integer NOT NULL,
    end_sequence integer NOT NULL,
    title text,
    model text,
    prompt_version text,
    status text NOT NULL,
    attempts integer DEFAULT 0 NOT NULL,
    dispatch_count integer DEFAULT 1 NOT NULL,
    fencing_token bigint,
    lease_until timestamp with time zone NOT NULL,
    error text,
    created_at timestamp with time zone DEFAULT now() NOT NULL,
    finished_at timestamp with time zone,
    begun_at timestamp with time zone,
    in_backlog boolean DEFAULT false NOT NULL,
    user_id text NOT NULL,
    CONSTRAINT titles_check CHECK (((0 <= start_sequence) AND (start_sequence <= end_sequence))),
    CONSTRAINT titles_status_check CHECK ((status = ANY (ARRAY['processing'::text, 'completed'::text, 'failed'::text]))),
    CONSTRAINT titles_pkey PRIMARY KEY (id),
    CONSTRAINT titles_conversation_id_owned FOREIGN KEY (conversation_id, user_id) REFERENCES conversations(conversation_id, user_id) ON DELETE CASCADE
);
ALTER TABLE ONLY titles ALTER COLUMN title SET STATISTICS 0;
ALTER TABLE ONLY titles ALTER COLUMN model SET STATISTICS 0;
ALTER TABLE ONLY titles ALTER COLUMN prompt_version SET STATISTICS 0;
ALTER TABLE ONLY titles ALTER COLUMN error SET STATISTICS 0;
ALTER TABLE ONLY titles FORCE ROW LEVEL SECURITY;
CREATE INDEX titles_by_conversation ON titles (conversation_id, status);
CREATE INDEX titles_finished ON titles (finished_at);
CREATE INDEX titles_leases ON titles (lease_until) WHERE (status = 'processing'::text);
CREATE UNIQUE INDEX titles_one_processing
    ON titles (conversation_id)
    WHERE (status = 'processing'::text);
CREATE TRIGGER titles_owner BEFORE INSERT
    ON titles
    FOR EACH ROW WHEN ((new.user_id IS NULL))
    EXECUTE FUNCTION set_owner();
CREATE POLICY own_rows
    ON titles USING ((user_id = current_setting('throughline.user_id'::text, true)));
ALTER TABLE titles ENABLE ROW LEVEL SECURITY;
CREATE POLICY upkeep ON titles TO throughline_upkeep USING (true);

CREATE TABLE token_usage (
    conversation_id uuid NOT NULL,
    purpose text NOT NULL,
    model text NOT NULL,
    calls bigint NOT NULL,
    tokens_in bigint NOT NULL,
    tokens_out bigint NOT NULL,
    user_id text NOT NULL,
    CONSTRAINT token_usage_pkey PRIMARY KEY (conversation_id, purpose, model),
    CONSTRAINT token_usage_conversation_id_owned FOREIGN KEY (conversation_id, user_id) REFERENCES conversations(conversation_id, user_id) ON DELETE CASCADE
);
ALTER TABLE ONLY token_usage ALTER COLUMN purpose SET STATISTICS 0;
ALTER TABLE ONLY token_usage ALTER COLUMN model SET STATISTICS 0;
ALTER TABLE ONLY token_usage FORCE ROW LEVEL SECURITY;
CREATE TRIGGER token_usage_owner BEFORE INSERT
    ON token_usage
    FOR EACH ROW WHEN ((new.user_id IS NULL))
    EXECUTE FUNCTION set_owner();
CREATE POLICY own_rows
    ON token_usage USING ((user_id = current_setting('throughline.user_id'::text, true)));
ALTER TABLE token_usage ENABLE ROW LEVEL SECURITY;
CREATE POLICY upkeep ON token_usage TO throughline_upkeep USING (true);

CREATE TABLE tombstones (
    tombstone_id bigint GENERATED ALWAYS AS IDENTITY NOT NULL,
    conversation_id uuid NOT NULL,
    sequence_number integer,
    fencing_token bigint DEFAULT nextval('fencing_tokens'::regclass) NOT NULL,
    replies integer[] DEFAULT '{}'::integer[] NOT NULL,
    erased_at timestamp with time zone DEFAULT now() NOT NULL,
    told_epoch text,
    rewritten_at timestamp with time zone,
    CONSTRAINT tombstones_pkey PRIMARY KEY (tombstone_id)
);
ALTER TABLE ONLY tombstones ALTER COLUMN replies SET STATISTICS 0;
ALTER TABLE ONLY tombstones ALTER COLUMN told_epoch SET STATISTICS 0;
ALTER TABLE ONLY tombstones FORCE ROW LEVEL SECURITY;
CREATE INDEX tombstones_by_age ON tombstones (erased_at);
CREATE POLICY additions ON tombstones FOR INSERT WITH CHECK (true);
ALTER TABLE tombstones ENABLE ROW LEVEL SECURITY;
CREATE POLICY upkeep ON tombstones TO throughline_upkeep USING (true);

CREATE TABLE uncut_files (
    attachment_id uuid NOT NULL,
    user_id text NOT NULL,
    ticket bigint GENERATED ALWAYS AS IDENTITY NOT NULL,
    CONSTRAINT uncut_files_pkey PRIMARY KEY (attachment_id),
    CONSTRAINT uncut_files_ticket_key UNIQUE (ticket),
    CONSTRAINT uncut_files_attachment_id_owned FOREIGN KEY (attachment_id, user_id) REFERENCES attachments(attachment_id, user_id) ON DELETE CASCADE
);
ALTER TABLE ONLY uncut_files FORCE ROW LEVEL SECURITY;
CREATE INDEX uncut_files_by_user ON uncut_files (user_id);
CREATE POLICY own_rows
    ON uncut_files USING ((user_id = current_setting('throughline.user_id'::text, true)));
ALTER TABLE uncut_files ENABLE ROW LEVEL SECURITY;
CREATE POLICY upkeep ON uncut_files TO throughline_upkeep USING (true);

CREATE TABLE unembedded_messages (
    ticket bigint GENERATED ALWAYS AS IDENTITY NOT NULL,
    conversation_id uuid NOT NULL,
    sequence_number integer NOT NULL,
    user_id text NOT NULL,
    CONSTRAINT unembedded_messages_pkey PRIMARY KEY (conversation_id, sequence_number),
    CONSTRAINT unembedded_messages_ticket_key UNIQUE (ticket),
    CONSTRAINT unembedded_messages_conversation_id_owned FOREIGN KEY (conversation_id, user_id) REFERENCES conversations(conversation_id, user_id) ON DELETE CASCADE,
    CONSTRAINT unembedded_messages_conversation_id_sequence_number_fkey FOREIGN KEY (conversation_id, sequence_number) REFERENCES messages(conversation_id, sequence_number) ON DELETE CASCADE
);
ALTER TABLE ONLY unembedded_messages FORCE ROW LEVEL SECURITY;
CREATE TRIGGER unembedded_messages_owner BEFORE INSERT
    ON unembedded_messages
    FOR EACH ROW WHEN ((new.user_id IS NULL))
    EXECUTE FUNCTION set_owner();
CREATE POLICY own_rows
    ON unembedded_messages USING ((user_id = current_setting('throughline.user_id'::text, true)));
ALTER TABLE unembedded_messages ENABLE ROW LEVEL SECURITY;
CREATE POLICY upkeep ON unembedded_messages TO throughline_upkeep USING (true);

CREATE TABLE unfolded_conversations (
    conversation_id uuid NOT NULL,
    user_id text NOT NULL,
    message_reached integer DEFAULT '-1'::integer NOT NULL,
    passage_reached bigint DEFAULT 0 NOT NULL,
    CONSTRAINT unfolded_conversations_pkey PRIMARY KEY (conversation_id),
    CONSTRAINT unfolded_conversations_conversation_id_user_id_fkey FOREIGN KEY (conversation_id, user_id) REFERENCES conversations(conversation_id, user_id) ON DELETE CASCADE
);
ALTER TABLE ONLY unfolded_conversations ALTER COLUMN user_id SET STATISTICS 0;
ALTER TABLE ONLY unfolded_conversations FORCE ROW LEVEL SECURITY;
CREATE POLICY own_rows
    ON unfolded_conversations USING ((user_id = current_setting('throughline.user_id'::text, true)));
ALTER TABLE unfolded_conversations ENABLE ROW LEVEL SECURITY;
CREATE POLICY upkeep ON unfolded_conversations TO throughline_upkeep USING (true);

CREATE TABLE usage_days (
    user_id text NOT NULL,
    day date DEFAULT CURRENT_DATE NOT NULL,
    rounds integer DEFAULT 0 NOT NULL,
    searches integer DEFAULT 0 NOT NULL,
    tokens bigint DEFAULT 0 NOT NULL,
    CONSTRAINT usage_days_pkey PRIMARY KEY (user_id, day)
);
ALTER TABLE ONLY usage_days FORCE ROW LEVEL SECURITY;
CREATE INDEX usage_days_by_day ON usage_days (day);
CREATE POLICY own_rows
    ON usage_days USING ((user_id = current_setting('throughline.user_id'::text, true)));
CREATE POLICY upkeep ON usage_days TO throughline_upkeep USING (true);
ALTER TABLE usage_days ENABLE ROW LEVEL SECURITY;

CREATE TABLE webhooks (
    webhook_id bigint DEFAULT new_id() NOT NULL,
    user_id text NOT NULL,
    url text NOT NULL,
    event_types text[] NOT NULL,
    with_text boolean DEFAULT false NOT NULL,
    secret bytea NOT NULL,
    old_secret bytea,
    old_secret_until timestamp with time zone,
    disabled_at timestamp with time zone,
    failures integer DEFAULT 0 NOT NULL,
    resume_at timestamp with time zone DEFAULT now() NOT NULL,
    fencing_token bigint,
    lease_until timestamp with time zone,
    created_at timestamp with time zone DEFAULT now() NOT NULL,
    CONSTRAINT webhooks_check CHECK (((old_secret IS NULL) = (old_secret_until IS NULL))),
    CONSTRAINT webhooks_pkey PRIMARY KEY (webhook_id),
    CONSTRAINT webhooks_user_id_webhook_id_key UNIQUE (user_id, webhook_id),
    CONSTRAINT webhooks_user_id_fkey FOREIGN KEY (user_id) REFERENCES users(user_id) ON DELETE CASCADE
);
ALTER TABLE ONLY webhooks ALTER COLUMN url SET STATISTICS 0;
ALTER TABLE ONLY webhooks ALTER COLUMN event_types SET STATISTICS 0;
ALTER TABLE ONLY webhooks ALTER COLUMN secret SET STATISTICS 0;
ALTER TABLE ONLY webhooks ALTER COLUMN old_secret SET STATISTICS 0;
ALTER TABLE ONLY webhooks FORCE ROW LEVEL SECURITY;
CREATE POLICY own_rows
    ON webhooks USING ((user_id = current_setting('throughline.user_id'::text, true)));
CREATE POLICY upkeep ON webhooks TO throughline_upkeep USING (true);
ALTER TABLE webhooks ENABLE ROW LEVEL SECURITY;

CREATE TABLE webhook_deliveries (
    delivery_id bigint DEFAULT new_id() NOT NULL,
    user_id text NOT NULL,
    webhook_id bigint NOT NULL,
    event_id bigint NOT NULL,
    status text DEFAULT 'pending'::text NOT NULL,
    attempts integer DEFAULT 0 NOT NULL,
    due_at timestamp with time zone DEFAULT now() NOT NULL,
    http_status integer,
    error text,
    created_at timestamp with time zone DEFAULT now() NOT NULL,
    finished_at timestamp with time zone,
    CONSTRAINT webhook_deliveries_check CHECK (((status = 'pending'::text) = (finished_at IS NULL))),
    CONSTRAINT webhook_deliveries_status_check CHECK ((status = ANY (ARRAY['pending'::text, 'delivered'::text, 'dead'::text]))),
    CONSTRAINT webhook_deliveries_pkey PRIMARY KEY (delivery_id),
    CONSTRAINT webhook_deliveries_webhook_id_event_id_key UNIQUE (webhook_id, event_id),
    CONSTRAINT webhook_deliveries_user_id_event_id_fkey FOREIGN KEY (user_id, event_id) REFERENCES events(user_id, event_id) ON DELETE CASCADE,
    CONSTRAINT webhook_deliveries_user_id_webhook_id_fkey FOREIGN KEY (user_id, webhook_id) REFERENCES webhooks(user_id, webhook_id) ON DELETE CASCADE
);
ALTER TABLE ONLY webhook_deliveries ALTER COLUMN error SET STATISTICS 0;
ALTER TABLE ONLY webhook_deliveries FORCE ROW LEVEL SECURITY;
CREATE INDEX webhook_deliveries_by_event ON webhook_deliveries (user_id, event_id);
CREATE INDEX webhook_deliveries_by_user ON webhook_deliveries (user_id, delivery_id);
CREATE INDEX webhook_deliveries_pending
    ON webhook_deliveries (webhook_id, due_at)
    WHERE (status = 'pending'::text);
CREATE POLICY own_rows
    ON webhook_deliveries USING ((user_id = current_setting('throughline.user_id'::text, true)));
CREATE POLICY upkeep ON webhook_deliveries TO throughline_upkeep USING (true);
ALTER TABLE webhook_deliveries ENABLE ROW LEVEL SECURITY;

CREATE VIEW jobs WITH (security_invoker='true') AS
 SELECT 'summary'::text AS kind,
    memory.memory_id AS job_id,
    memory.conversation_id,
    memory.start_sequence,
    memory.end_sequence,
    memory.status,
        CASE
            WHEN (memory.status = 'deleted'::text) THEN 'completed'::text
            WHEN (memory.status <> 'processing'::text) THEN memory.status
            WHEN (memory.fencing_token IS NULL) THEN 'queued'::text
            ELSE 'running'::text
        END AS state,
    memory.attempts,
    memory.error,
    memory.lease_until,
    memory.created_at,
    memory.begun_at,
    memory.finished_at
   FROM memory
UNION ALL
 SELECT 'episode'::text AS kind,
    episodic_memory.id AS job_id,
    episodic_memory.conversation_id,
    episodic_memory.turn_start AS start_sequence,
    episodic_memory.turn_end AS end_sequence,
    episodic_memory.status,
        CASE
            WHEN (episodic_memory.status = 'deleted'::text) THEN 'completed'::text
            WHEN (episodic_memory.status <> 'processing'::text) THEN episodic_memory.status
            WHEN (episodic_memory.fencing_token IS NULL) THEN 'queued'::text
            ELSE 'running'::text
        END AS state,
    episodic_memory.attempts,
    episodic_memory.error,
    episodic_memory.lease_until,
    episodic_memory.created_at,
    episodic_memory.begun_at,
    episodic_memory.finished_at
   FROM episodic_memory
UNION ALL
 SELECT 'facts'::text AS kind,
    fact_extractions.id AS job_id,
    fact_extractions.conversation_id,
    fact_extractions.start_sequence,
    fact_extractions.end_sequence,
    fact_extractions.status,
        CASE
            WHEN (fact_extractions.status = 'deleted'::text) THEN 'completed'::text
            WHEN (fact_extractions.status <> 'processing'::text) THEN fact_extractions.status
            WHEN (fact_extractions.fencing_token IS NULL) THEN 'queued'::text
            ELSE 'running'::text
        END AS state,
    fact_extractions.attempts,
    fact_extractions.error,
    fact_extractions.lease_until,
    fact_extractions.created_at,
    fact_extractions.begun_at,
    fact_extractions.finished_at
   FROM fact_extractions
UNION ALL
 SELECT 'title'::text AS kind,
    titles.id AS job_id,
    titles.conversation_id,
    titles.start_sequence,
    titles.end_sequence,
    titles.status,
        CASE
            WHEN (titles.status = 'deleted'::text) THEN 'completed'::text
            WHEN (titles.status <> 'processing'::text) THEN titles.status
            WHEN (titles.fencing_token IS NULL) THEN 'queued'::text
            ELSE 'running'::text
        END AS state,
    titles.attempts,
    titles.error,
    titles.lease_until,
    titles.created_at,
    titles.begun_at,
    titles.finished_at
   FROM titles
UNION ALL
 SELECT 'tidying'::text AS kind,
    tidyings.id AS job_id,
    tidyings.conversation_id,
    tidyings.start_sequence,
    tidyings.end_sequence,
    tidyings.status,
        CASE
            WHEN (tidyings.status = 'deleted'::text) THEN 'completed'::text
            WHEN (tidyings.status <> 'processing'::text) THEN tidyings.status
            WHEN (tidyings.fencing_token IS NULL) THEN 'queued'::text
            ELSE 'running'::text
        END AS state,
    tidyings.attempts,
    tidyings.error,
    tidyings.lease_until,
    tidyings.created_at,
    tidyings.begun_at,
    tidyings.finished_at
   FROM tidyings;

CREATE VIEW long_term_memories WITH (security_invoker='true') AS
 SELECT id,
    conversation_id,
    summary,
    key_concepts,
    created_at
   FROM episodic_memory
  WHERE (status = 'completed'::text);

INSERT INTO id_salt DEFAULT VALUES; -- by which `new_id` differs from that of other databases

CREATE TABLE alembic_version (
    version_num character varying(32) CONSTRAINT alembic_version_pkc PRIMARY KEY
);
INSERT INTO alembic_version VALUES ('0063');
