// Package template turns the text of a Redis command into bytes for the wire:
// Parse compiles a template, and an Appender writes what the template makes
// of each index as RESP arrays. Text that comes from files is taken from
// package data. It never opens a connection, keeps no state between units and
// does not know how many of them are asked for.
//
// # Grammar
//
// A template makes units, each of one or several commands. Terminals are in
// quotes; "a | b" is a choice, "[ a ]" is optional, "{ a }" repeats.
//
//	template    = [ BOM ] command { ";" command }
//	command     = argument { argument }
//	argument    = piece { piece }
//	piece       = bare | double | single | object | placeholder
//	placeholder = "<" form [ "as" name ] ">" | "{" form [ "as" name ] "}"
//	form        = "key" law
//	            | "int" law
//	            | "rand" count
//	            | "value" size
//	            | "bytes" size
//	            | "range" count number
//	            | "index"
//	            | "uuid"
//	            | "time" ( "s" | "ms" | "us" )
//	            | "field" field [ "base64" ]
//	            | "len" field
//	            | "word" field
//	            | "json" [ source ".*" | field { "," label } ]
//	            | "line" [ source ]
//	            | "rows" [ source ]
//	            | name
//	law         = ( "uniform" | "sequence" | "latest" ) count
//	            | "zipfian" [ real ] count
//	            | "gaussian" [ real real ] count
//	count       = number | number ".." number
//	size        = number | number ".." number | weighted { "," weighted }
//	weighted    = number ":" real
//	number      = digits [ "." digits ] [ exponent | suffix ]
//	name        = letter { letter | digit | "_" | "-" }
//	field       = [ source "." ] label
//	label       = characters without blanks, commas, brackets and quotes
//	            | "'" characters "'" | '"' characters '"'
//	source      = name
//
// Blanks are space, tab, CR and LF. They separate arguments, and the words
// inside a placeholder. The ";" that separates commands stands between blanks
// or at an end. Numbers are those of ParseNumber; a real is one of them or a
// finite decimal such as 1.03.
//
// Text is bare or quoted, and pieces side by side join. A double-quoted piece
// knows \n \r \t \a \b \\ \" and \xHH; a backslash before anything else stands
// for what follows it. A single-quoted piece knows \' and \\. In every text \<
// and \{ are a bracket that opens nothing; any other backslash is itself. An
// object is bare text from a brace with a double quote after it to the closing
// brace: JSON, in which quotes and blanks are text.
//
// # Brackets
//
// A bracketed text is a placeholder when its first word is the name of one or
// a bound name, and must then be closed by its own kind of bracket; only
// blanks after the opening bracket make it optional, as in a < b. It is a
// mistake when other words follow a first word that names nothing. Everything
// else is text: {user1}, {"a":1}, <=. An opening bracket with nothing after it
// is a mistake.
//
// # Data
//
// The last forms take their text from the rows of a file, of which there may
// be several. A field is looked up in the source before the dot or, without
// one, in the only source that has it. All fields, lines and objects of one
// source within a unit are of one row: row i, from the start again after the
// last, in unit i, or one that is drawn at random for the unit. Only word draws
// a row of its own each time.
//
// The quotes of a label are of the other kind than those that the placeholder
// stands in. There are no escapes in them. These words are of the language
// whether or not there are data, so that a template has one meaning; without
// data they are a mistake.
//
//	HSET doc:<field id> title <field title> length <len abstract>
//	HSET page:<field wiki."page id"> picture "<field wiki.picture base64>"
//	JSON.SET doc:<field id as d> $ <json> ; JSON.GET doc:<d>
//	FT.ADD idx <index> 1.0 FIELDS "<json wiki.id,title,'page id'>"
//	RPUSH lines <line> "<line wiki>" <json wiki.*>
//	FT.SEARCH idx "@title:<word title> @abstract:(<word abstract> <word abstract>)"
//	SET count "row <index> of <rows> or <rows wiki>"
//
// # Examples
//
//	SET <key uniform 10m> <value 64>
//	HSET {key sequence 1000} {key sequence 10007} {value 16..256}
//	GET <key zipfian 0.99 1m>
//	GET <key gaussian 500 100 1000>
//	SET <key latest 1m> <bytes 64:9,4ki:1>
//	LINDEX <key uniform 1000> <int uniform 0..9>
//	ZRANGE z <range 1000 100>
//	XADD s <time ms>-<index> id <uuid>
//	MULTI ; INCR <key uniform 100 as k> ; EXPIRE <k> 60 ; EXEC
//	JSON.SET doc:<rand 1000> $ '{"name":"<value 10>","tags":{"a":1}}'
package template
