/**
 * The regions of the countries whose regions are known: code, after `<` the region that it is part of, and names with the one for
 * messages first. Facts of ISO 3166-2 (November 2026) and of Unicode CLDR 48; beside them codes and names that were or are in use.
 */
export const regionRows: Readonly<Record<string, string>> = {
  AU: `
ACT|Australian Capital Territory
NSW|New South Wales
NT|Northern Territory
QLD|Queensland
SA|South Australia
TAS|Tasmania
VIC|Victoria
WA|Western Australia
`,
  BR: `
AC|Acre
AL|Alagoas
AM|Amazonas
AP|Amapá
BA|Bahia
CE|Ceará
DF|Distrito Federal|Federal District
ES|Espírito Santo
GO|Goiás
MA|Maranhão
MG|Minas Gerais
MS|Mato Grosso do Sul
MT|Mato Grosso
PA|Pará
PB|Paraíba
PE|Pernambuco
PI|Piauí
PR|Paraná
RJ|Rio de Janeiro
RN|Rio Grande do Norte
RO|Rondônia
RR|Roraima
RS|Rio Grande do Sul
SC|Santa Catarina
SE|Sergipe
SP|São Paulo
TO|Tocantins
`,
  CA: `
AB|Alberta
BC|British Columbia|Colombie-Britannique
MB|Manitoba
NB|New Brunswick|Nouveau-Brunswick
NL|Newfoundland and Labrador|Terre-Neuve-et-Labrador|NF|Newfoundland|Labrador
NS|Nova Scotia|Nouvelle-Écosse
NT|Northwest Territories|Territoires du Nord-Ouest
NU|Nunavut
ON|Ontario
PE|Prince Edward Island|Île-du-Prince-Édouard|PEI
QC|Quebec|PQ
SK|Saskatchewan
YT|Yukon
`,
  DE: `
BB|Brandenburg
BE|Berlin|Berlino
BW|Baden-Württemberg|Baden-Wuerttemberg|Bade-Wurtemberg
BY|Bayern|Bavaria|Bavière|Baviera
HB|Bremen|Brême|Freie Hansestadt Bremen
HE|Hessen|Hesse
HH|Hamburg|Hambourg|Hamburgo|Freie und Hansestadt Hamburg
MV|Mecklenburg-Vorpommern|Mecklenburg|Mecklenburg-Western Pomerania
NI|Niedersachsen|Lower Saxony|Basse-Saxe|Baja Sajonia|Bassa Sassonia
NW|Nordrhein-Westfalen|North Rhine-Westphalia|NRW|Rhénanie-du-Nord-Westphalie|Renania del Norte-Westfalia
RP|Rheinland-Pfalz|Rhineland-Palatinate|Rhénanie-Palatinat|Renania-Palatinado
SH|Schleswig-Holstein
SL|Saarland|Sarre
SN|Sachsen|Saxony|Saxe|Sajonia|Sassonia
ST|Sachsen-Anhalt|Saxony-Anhalt|Saxe-Anhalt|Sajonia-Anhalt
TH|Thüringen|Thuringia|Thueringen|Thuringe|Turingia
`,
  ES: `
A<VC|Alicante|Alacant
AB<CM|Albacete
AL<AN|Almería
AN|Andalucía|Andalusia
AR|Aragón
AS|Principado de Asturias|Asturias
AV<CL|Ávila
B<CT|Barcelona
BA<EX|Badajoz|Badaxoz
BI<PV|Bizkaia|Biscay|Biscaia|Vizcaya
BU<CL|Burgos
C<GA|A Coruña|La Corunya|Coruña|La Coruña
CA<AN|Cádiz|Cadis
CB|Cantabria
CC<EX|Cáceres
CE|Ceuta
CL|Castilla y León|Castile and León
CM|Castilla-La Mancha|Castile-La Mancha
CN|Canarias|Canary Islands
CO<AN|Córdoba|Kordoba
CR<CM|Ciudad Real|Cidade Real
CS<VC|Castellón|Castelló
CT|Catalunya|Catalonia|Cataluña
CU<CM|Cuenca
EX|Extremadura
GA|Galicia
GC<CN|Las Palmas|As Palmas
GI<CT|Girona|Xirona|Gerona
GR<AN|Granada
GU<CM|Guadalajara
H<AN|Huelva
HU<AR|Huesca
IB|Illes Balears|Balearic Islands|Islas Baleares
J<AN|Jaén|Xaén
L<CT|Lleida|Lérida
LE<CL|León
LO<RI|La Rioja|La Rioja Province
LU<GA|Lugo
M<MD|Madrid|Madrid Province
MA<AN|Málaga
MC|Región de Murcia|Murcia Region
MD|Comunidad de Madrid|Madrid Autonomous Community
ML|Melilla
MU<MC|Murcia|Murtzia
NA<NC|Navarra|Nafarroa
NC|Comunidad Foral de Navarra|Navarra Chartered Community
O<AS|Asturias|Asturias Province
OR<GA|Ourense|Orense
P<CL|Palencia|Palentzia
PM<IB|Illes Balears|Balears Province|Illas Baleares|Islas Baleares|Baleares|Balears
PO<GA|Pontevedra
PV|País Vasco|Basque Country|Euskadi
RI|La Rioja
S<CB|Cantabria|Cantabria Province
SA<CL|Salamanca
SE<AN|Sevilla|Seville
SG<CL|Segovia
SO<CL|Soria
SS<PV|Gipuzkoa|Guipúscoa|Guipúzcoa
T<CT|Tarragona
TE<AR|Teruel
TF<CN|Santa Cruz de Tenerife|Santa Cruz Tenerifekoa
TO<CM|Toledo
V<VC|Valencia|Valentzia
VA<CL|Valladolid
VC|Comunidad Valenciana|Valencian Community|Comunitat Valenciana
VI<PV|Álava|Araba|Araba/Álava
Z<AR|Zaragoza
ZA<CL|Zamora
`,
  IN: `
AN|Andaman and Nicobar Islands|अंडमान और निकोबार द्वीपसमूह|Andaman & Nicobar|Andaman and Nicobar|Andaman & Nicobar Islands
AP|Andhra Pradesh|आंध्र प्रदेश
AR|Arunachal Pradesh|अरुणाचल प्रदेश
AS|Assam|असम
BR|Bihar|बिहार
CG|Chhattīsgarh|छत्तीसगढ़|CT|Chattisgarh
CH|Chandigarh|चंडीगढ़
DH|Dādra and Nagar Haveli and Damān and Diu|दमन और दीव|दादरा और नगर हवेली|DN|DD
DL|Delhi|दिल्ली|NCT of Delhi|New Delhi
GA|Goa|गोआ
GJ|Gujarat|गुजरात
HP|Himachal Pradesh|हिमाचल प्रदेश
HR|Haryana|हरियाणा
JH|Jharkhand|झारखण्ड
JK|Jammu and Kashmir|जम्मू और कश्मीर|Jammu & Kashmir
KA|Karnataka|कर्नाटक
KL|Kerala|केरल
LA|Ladakh
LD|Lakshadweep|लक्षद्वीप
MH|Maharashtra|महाराष्ट्र
ML|Meghalaya|मेघालय
MN|Manipur|मणिपुर
MP|Madhya Pradesh|मध्य प्रदेश
MZ|Mizoram|मिजोरम
NL|Nagaland|नागालैंड
OD|Odisha|ओड़िशा|OR|Orissa
PB|Punjab|पंजाब
PY|Puducherry|पांडिचेरी|Pondicherry
RJ|Rajasthan|राजस्थान
SK|Sikkim|सिक्किम
TN|Tamil Nadu|तमिल नाडु
TR|Tripura|त्रिपुरा
TS|Telangāna|तेलंगाना|TG
UK|Uttarākhand|उत्तराखण्ड|UT|Uttaranchal
UP|Uttar Pradesh|उत्तर प्रदेश
WB|West Bengal|पश्चिम बंगाल
`,
  IT: `
21|Piemonte|Piedmont
23|Valle d'Aosta|Vallée d'Aoste|Aosta Valley|AO|Aosta
25|Lombardia|Lombardy
32|Trentino-Alto Adige|Trentino-Südtirol|Trentino-South Tyrol
34|Veneto
36|Friuli Venezia Giulia
42|Liguria
45|Emilia-Romagna
52|Toscana|Tuscany
55|Umbria
57|Marche
62|Lazio
65|Abruzzo
67|Molise
72|Campania
75|Puglia|Apulia
77|Basilicata
78|Calabria
82|Sicilia|Sicily
88|Sardegna|Sardinia
AG<82|Agrigento
AL<21|Alessandria
AN<57|Ancona
AP<57|Ascoli Piceno
AQ<65|L'Aquila
AR<52|Arezzo
AT<21|Asti
AV<72|Avellino
BA<75|Bari
BG<25|Bergamo
BI<21|Biella
BL<34|Belluno
BN<72|Benevento
BO<45|Bologna
BR<75|Brindisi
BS<25|Brescia
BT<75|Barletta-Andria-Trani
BZ<32|Bolzano|Bozen|South Tyrol|Südtirol|Alto Adige
CA<88|Cagliari
CB<67|Campobasso
CE<72|Caserta
CH<65|Chieti
CL<82|Caltanissetta
CN<21|Cuneo
CO<25|Como
CR<25|Cremona
CS<78|Cosenza
CT<82|Catania
CZ<78|Catanzaro
EN<82|Enna
FC<45|Forlì-Cesena|FO|Forlì
FE<45|Ferrara
FG<75|Foggia
FI<52|Firenze|Florence
FM<57|Fermo
FR<62|Frosinone
GE<42|Genova|Genoa
GO<36|Gorizia
GR<52|Grosseto
IM<42|Imperia
IS<67|Isernia
KR<78|Crotone
LC<25|Lecco
LE<75|Lecce
LI<52|Livorno
LO<25|Lodi
LT<62|Latina
LU<52|Lucca
MB<25|Monza e Brianza|Monza and Brianza|Monza|Monza e della Brianza
MC<57|Macerata
ME<82|Messina
MI<25|Milano|Milan
MN<25|Mantova|Mantua
MO<45|Modena
MS<52|Massa-Carrara|Massa and Carrara
MT<77|Matera
NA<72|Napoli|Naples
NO<21|Novara
NU<88|Nuoro|Ogliastra|OG
OR<88|Oristano
PA<82|Palermo
PC<45|Piacenza
PD<34|Padova|Padua
PE<65|Pescara
PG<55|Perugia
PI<52|Pisa
PN<36|Pordenone
PO<52|Prato
PR<45|Parma
PT<52|Pistoia
PU<57|Pesaro e Urbino|Pesaro and Urbino|PS|Pesaro
PV<25|Pavia
PZ<77|Potenza
RA<45|Ravenna
RC<78|Reggio Calabria|Reggio di Calabria
RE<45|Reggio Emilia|Reggio nell'Emilia
RG<82|Ragusa
RI<62|Rieti
RM<62|Roma|Rome
RN<45|Rimini
RO<34|Rovigo
SA<72|Salerno
SI<52|Siena
SO<25|Sondrio
SP<42|La Spezia
SR<82|Siracusa|Syracuse
SS<88|Sassari|Olbia-Tempio|OT
SU<88|Sud Sardegna|Carbonia-Iglesias|Medio Campidano|CI|VS
SV<42|Savona
TA<75|Taranto
TE<65|Teramo
TN<32|Trento|Trentino
TO<21|Torino|Turin
TP<82|Trapani
TR<55|Terni
TS<36|Trieste
TV<34|Treviso
UD<36|Udine
VA<25|Varese
VB<21|Verbano-Cusio-Ossola
VC<21|Vercelli
VE<34|Venezia|Venice
VI<34|Vicenza
VR<34|Verona
VT<62|Viterbo
VV<78|Vibo Valentia
`,
  MX: `
AGU|Aguascalientes|Ags.
BCN|Baja California|B.C.
BCS|Baja California Sur|B.C.S.
CAM|Campeche|Camp.
CHH|Chihuahua|Chih.
CHP|Chiapas|Chis.
CMX|Ciudad de México|CDMX|DF|Distrito Federal
COA|Coahuila de Zaragoza|Coahuila|Coah.
COL|Colima|Col.
DUR|Durango|Dgo.
GRO|Guerrero|Gro.
GUA|Guanajuato|Gto.
HID|Hidalgo|Hgo.
JAL|Jalisco|Jal.
MEX|México|Mexico State|Estado de México|Edomex|Méx.
MIC|Michoacán de Ocampo|Michoacán|Mich.
MOR|Morelos|Mor.
NAY|Nayarit|Nay.
NLE|Nuevo León|N.L.
OAX|Oaxaca|Oax.
PUE|Puebla|Pue.
QUE|Querétaro|Qro.
ROO|Quintana Roo|Q.R.
SIN|Sinaloa|Sin.
SLP|San Luis Potosí|S.L.P.
SON|Sonora|Son.
TAB|Tabasco|Tab.
TAM|Tamaulipas|Tamps.
TLA|Tlaxcala|Tlax.
VER|Veracruz de Ignacio de la Llave|Veracruz|Ver.
YUC|Yucatán|Yuc.
ZAC|Zacatecas|Zac.
`,
  US: `
AK|Alaska
AL|Alabama
AR|Arkansas
AS|American Samoa
AZ|Arizona
CA|California
CO|Colorado
CT|Connecticut
DC|Washington DC|District of Columbia
DE|Delaware
FL|Florida
GA|Georgia
GU|Guam
HI|Hawaii
IA|Iowa
ID|Idaho
IL|Illinois
IN|Indiana
KS|Kansas
KY|Kentucky
LA|Louisiana
MA|Massachusetts
MD|Maryland
ME|Maine
MI|Michigan
MN|Minnesota
MO|Missouri
MP|Northern Mariana Islands|Saipan
MS|Mississippi
MT|Montana
NC|North Carolina
ND|North Dakota
NE|Nebraska
NH|New Hampshire
NJ|New Jersey
NM|New Mexico
NV|Nevada
NY|New York
OH|Ohio
OK|Oklahoma
OR|Oregon
PA|Pennsylvania
PR|Puerto Rico
RI|Rhode Island
SC|South Carolina
SD|South Dakota
TN|Tennessee
TX|Texas
UM|United States Minor Outlying Islands
UT|Utah
VA|Virginia
VI|United States Virgin Islands|Virgin Islands|US Virgin Islands
VT|Vermont
WA|Washington
WI|Wisconsin
WV|West Virginia
WY|Wyoming
AA|Armed Forces Americas
AE|Armed Forces Europe
AP|Armed Forces Pacific
FM|Federated States of Micronesia|Micronesia
MH|Marshall Islands
PW|Palau
`,
  GB: `
ENG<GBN|England
GBN|Great Britain
NIR|Northern Ireland
SCT<GBN|Scotland
WLS<GBN|Wales|Cymru
`,
}
