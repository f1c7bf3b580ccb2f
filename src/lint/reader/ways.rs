//! Ways to give orders to the reader of a text.

/// One way to give orders: what it is called, what it looks like, and how sure it is.
pub(super) struct Way {
    pub(super) what: &'static str,
    /// Text (in any case) without which it cannot stand there.
    pub(super) hints: &'static [&'static str],
    pub(super) pattern: &'static str,
    /// Whether it is one only where a sentence begins: elsewhere somebody else does it.
    pub(super) begins: bool,
    /// Whether it only calls whoever reads it, and is one if what does harm follows.
    pub(super) calls: bool,
    pub(super) confidence: f64,
}

/// What an agent that is called is told and nobody else is: what does harm.
pub(super) const HARM: &str = r"^(?:[^.\n]*?\b(?:and|then)\s+)?(?:(?:please|first|now|immediately|silently|secretly|quietly|always|also|then|just|you\s+(?:must|should|shall|will|have\s+to|need\s+to|are\s+to)|make\s+sure\s+to|before\s+anything\s+else,?)\s+){0,3}(?:(?:run|execute)\s+[^\n|]*\|\s*(?:sudo\s+)?(?:ba|z)?sh\b|(?:run|execute)\s+(?:(?:the\s+)?(?:script|code|command|program|binary)\s+(?:\S+\s+){0,3}?)?[`\x22']?(?:(?:curl|wget|iwr|irm)\s+(?:\S+\s+){0,6}?)?[`\x22']?https?://\S*|(?:call|use|invoke|run)\s+(?:the\s+|your\s+)?[`\x22']?[0-9a-z_.:-]*(?:send|mail|upload|post|pay|transfer|delete|exec|http|fetch|request|webhook|publish|shell|bash)[0-9a-z_.:-]*[`\x22']?\s+(?:tool|function)\b[^.\n]*?\b(?:with|on|to)\b|(?:send|upload|post|e-?mail|forward|transmit|exfiltrate|copy|publish|share)\s+[^.\n]*?\bto\s+(?:https?://\S*|[0-9A-Za-z_.+-]+@[0-9A-Za-z_-]+\.)|(?:send|upload|post|e-?mail|forward|transmit|exfiltrate|publish|share|print|show|dump|reveal|output|leak|paste)\s+(?:[0-9A-Za-z_']+\s+){0,4}?[`\x22']?(?:environment\s+variables|\.env|secrets?|credentials|passwords?|(?:api|private|ssh)\s+keys?|conversation|system\s+prompt)\b|(?:ignore|disregard|override|bypass|forget)\s+(?:(?:all|any|every|of|the|your|previous|prior|other|these)\s+){1,3}(?:instructions?|rules|prompts?|guidelines|guidance|polic(?:y|ies)|restrictions|review|user)\b|approve\s+(?:all|any|every|each|it|this|them|whatever)\b|merge\s+(?:it|all|any|every|each|whatever|without)\b|push\s+(?:it\s+)?(?:straight|directly)\b)";

/// What is said of orders about the person: in front of whom no other clause may begin.
pub(super) const KEEPS: &str = "it tells its reader to keep something from the person";
/// See [`KEEPS`].
pub(super) const UNASKED: &str = "it tells its reader not to ask the person";

/// Ways that are orders wherever they stand.
pub(super) static WAYS: &[Way] = &[
    Way {
        what: "it tells its reader to drop other instructions",
        hints: &[
            "ignore",
            "disregard",
            "forget",
            "override",
            "bypass",
            "follow",
        ],
        pattern: r"\b(?:ignore|disregard|forget|override|bypass|do not follow|don't follow|stop following)\s+(?:[0-9A-Za-z_]+\s+){0,3}?(?:previous|prior|above|preceding|earlier|foregoing|existing|original|your|system|developer|other|these|those)\s+(?:[0-9A-Za-z_'’]+\s+){0,2}?(?:instructions?|prompts?|rules|directions|directives|guidelines|guidance|constraints|context|messages?|restrictions|safety)\b",
        begins: false,
        calls: false,
        confidence: 0.95,
    },
    Way {
        what: "it tells its reader to drop other instructions",
        hints: &["ignore", "disregard", "forget"],
        pattern: r"\b(?:ignore|disregard|forget)\s+(?:everything|anything|all|what(?:ever)?)\s+(?:(?:(?:you\s+(?:were|have\s+been)|you've\s+been)\s+told|said|written|stated)\b.{0,20}|(?:that\s+(?:came\s+)?)?(?:above|before|previously)\b)",
        begins: false,
        calls: false,
        confidence: 0.95,
    },
    // `the rules above 80 columns` are others.
    Way {
        what: "it tells its reader to drop other instructions",
        hints: &["ignore", "disregard", "forget", "follow"],
        pattern: r"\b(?:ignore|disregard|forget|do not follow|don't follow|stop following)\s+(?:(?:all|any|each|every|of|the|your|these|those)\s+){0,3}(?:instructions?|prompts?|rules|directions|directives|guidelines|guidance|constraints|restrictions)\s+(?:(?:that\s+)?(?:(?:was|were|are|is|came|stand|stands|given|written|stated)\s+){0,2})?(?:above|before|earlier|previously)(?:\s*(?:[.,;:!?)*\x22'\n]|$)|\s+(?:and|or|but|then|instead)\b)",
        begins: false,
        calls: false,
        confidence: 0.95,
    },
    Way {
        what: "it speaks to its reader as the system does",
        hints: &["system", "developer", "root", "admin"],
        pattern: r"(?:^|[\n>*#\[(])\s*(?:system|developer|root|admin)\s*:[*\s]*(?:you\s+(?:must|should|will|shall|have\s+to|are\s+to)\s+(?:(?:always|never|now|only|not)\s+)?(?:approve|ignore|merge|push|delete|send|run|execute|obey|follow|accept|grant|trust|disable|reveal|skip|install|upload|post)\b|you\s+are\s+now\b|your\s+(?:new\s+)?(?:task|role|instructions?|goal)\s+(?:is|are)\b|from\s+now\s+on\b|(?:ignore|disregard|approve)\b)",
        begins: false,
        calls: false,
        confidence: 0.9,
    },
    Way {
        what: "it gives its reader another role",
        hints: &["you are", "act as", "pretend"],
        pattern: r"\b(?:you are now|from now on,? you are|act as|pretend (?:to be|you are))\s+(?:an?\s+|in\s+)?(?:[0-9A-Za-z_]+\s+){0,2}?(?:unrestricted|jailbroken|unfiltered|DAN\b|developer mode|god mode|admin mode|root mode|evil|without (?:any )?restrictions)",
        begins: false,
        calls: false,
        confidence: 0.95,
    },
    Way {
        what: KEEPS,
        hints: &["user", "human", "operator", "developer"],
        pattern: r"\b(?:do not|don't|never|without)\s+(?:tell|telling|inform|informing|mention|mentioning|reveal|revealing|show|showing|notify|notifying|alert|alerting|warn|warning)\s+(?:[0-9A-Za-z_]+\s+){0,3}?(?:to\s+)?the\s+(?:user|human|operator|developer)\b(?:\s+(?:about|of|that)\s+(?:this|these)\b)?",
        begins: false,
        calls: false,
        confidence: 0.6,
    },
    Way {
        what: UNASKED,
        hints: &["user", "human", "operator", "developer"],
        pattern: r"\b(?:do not|don't|never|without)\s+(?:ask|asking)\s+(?:[0-9A-Za-z_]+\s+){0,3}?(?:to\s+)?the\s+(?:user|human|operator|developer)\b",
        begins: false,
        calls: false,
        confidence: 0.6,
    },
    Way {
        what: "it asks for the reader's own instructions",
        hints: &["prompt", "instructions", "message"],
        pattern: r"\b(?:reveal|print|repeat|output|leak|send|display)\s+(?:[0-9A-Za-z_]+\s+){0,2}?(?:your|the)\s+(?:[0-9A-Za-z_]+\s+)?(?:system|hidden|initial|developer)\s+(?:prompt|instructions|message)\b|\b(?:reveal|print|repeat|output|leak|display)\s+(?:me\s+)?your\s+(?:own\s+)?(?:prompts?|instructions)\b",
        begins: false,
        calls: false,
        confidence: 0.9,
    },
    Way {
        what: "it announces instructions that go before others",
        hints: &["instruction", "directive", "prompt", "override", "message"],
        pattern: r"(?:^|[\n>*#\[(])\s*(?:(?:new|updated|real|actual|important|urgent|override)\s+(?:system\s+)?(?:instructions?|directives?|prompt)|system\s+(?:override|prompt|message))\s*:",
        begins: false,
        calls: false,
        confidence: 0.8,
    },
    Way {
        what: "it holds the marks of a chat or a tool call",
        hints: &[
            "im_start",
            "im_end",
            "system",
            "|user",
            "|assistant",
            "endoftext",
            "eot_id",
            "header_id",
            "sys>>",
            "inst]",
            "tool_",
            "available_tools]",
            "arguments",
            "args",
            "input",
            "function_call",
            "invoke",
        ],
        pattern: r"<\|(?:im_start|im_end|system|user|assistant|endoftext|eot_id|start_header_id)\|>|<</?SYS>>|\[/?(?:INST|TOOL_CALLS|TOOL_RESULTS|AVAILABLE_TOOLS)\]|\{\s*\x22(?:tool|tool_name|name|function)\x22\s*:\s*\x22[^\x22\n]{1,60}\x22\s*,\s*\x22(?:arguments|args|input|tool_input)\x22\s*:|</?(?:antml:)?(?:function_calls|tool_call|tool_use|tool_result|invoke(?:\s+name=|>)|system_prompt|system-reminder|system)>?|\x22(?:type|role)\x22\s*:\s*\x22(?:tool_use|tool_call|function_call|tool_result|system)\x22|\x22(?:tool_calls|function_call)\x22\s*:",
        begins: false,
        calls: false,
        confidence: 0.85,
    },
    Way {
        what: "it tells its reader to drop other instructions",
        hints: &[
            ".md",
            "rules",
            "prompt",
            "message",
            "developer",
            "operator",
            "owner",
            "creator",
            "maker",
            "anthropic",
            "openai",
        ],
        pattern: r"\b(?:ignore|disregard|forget|override|bypass|(?:do\s+not|don't|stop)\s+(?:follow|following|obey|obeying))\s+(?:[0-9A-Za-z_']+\s+){0,4}?(?:instructions?|prompts?|rules?|directions|directives|guidelines?|guidance|constraints|restrictions|polic(?:y|ies))\s+(?:(?:that\s+)?(?:are|is|stand|stands|given|set|made|written|which)\s+){0,3}(?:of|in|from|by)\s+(?:(?:the|this|any|every|each|all|your|its)\s+){0,2}(?:[`\x22']?(?:(?:claude|agents|gemini|copilot-instructions)(?:\.local)?\.md|\.cursorrules|\.windsurfrules)|(?:system|developer)\s+(?:prompt|message)|developers?\b|operators?\b|owners?\b|creators?\b|makers?\b|anthropic\b|openai\b)",
        begins: true,
        calls: false,
        confidence: 0.9,
    },
    Way {
        what: "it tells its reader to drop other instructions",
        hints: &[".md", "rules"],
        pattern: r"\b(?:ignore|disregard|forget|(?:do\s+not|don't|stop)\s+(?:follow|following|obey|obeying))\s+(?:(?:all|of|the|any|every)\s+){0,3}(?:[`\x22']?(?:(?:claude|agents|gemini|copilot-instructions)(?:\.local)?\.md|\.cursorrules|\.windsurfrules)[`\x22']?\s+(?:instructions?|rules|directives|guidelines|guidance|polic(?:y|ies))\b|(?:everything|anything|all|what(?:ever)?)\s+(?:(?:that|is|stands|written|in)\s+){0,3}[`\x22']?(?:(?:claude|agents|gemini|copilot-instructions)(?:\.local)?\.md|\.cursorrules|\.windsurfrules)[`\x22']?)",
        begins: true,
        calls: false,
        confidence: 0.85,
    },
    Way {
        what: "it tells whoever reads it to do what does harm",
        hints: &["you", "read", "load"],
        pattern: r"\b(?:(?:(?:when(?:ever)?|if|once|as\s+soon\s+as|after)\s+(?:you(?:\s+are|'re|\s+have|'ve)?\s+)?(?:read|reading|load|loading|see|seeing|process|processing|parse|parsing)\s+(?:this|these)(?:\s+(?:memory|note|file|text|entry|line|instructions?|document|comment|sentence|paragraph))?\s*[,:]\s*)|(?:if\s+you(?:\s+are|'re)\s+(?:an?|the)\s+(?:[0-9A-Za-z_-]+\s+){0,3}?(?:(?:ai|llm|language\s+model|chatbot|claude|copilot|gemini|chatgpt|(?:coding|ai)\s+(?:agent|assistant))\b[^.\n,:]*?|(?:agent|assistant|model)(?:\s+(?:reading|that|who|with|working|running)\b[^.\n,:]*?)?)\s*(?:[,:]|\bthen\b)\s*)|(?:(?:ai|llms?|agents?|assistants?|language\s+models?)\s+(?:that\s+reads?|who\s+reads?|reading|that\s+loads?|loading)\s+(?:this|these)(?:\s+(?:memory|note|file|text|entry|line|instructions?|document|comment|sentence|paragraph))?\s*,?\s*(?:must|should|shall|will|ha(?:s|ve)\s+to|needs?\s+to|(?:is|are)\s+to)\s+))",
        begins: false,
        calls: true,
        confidence: 0.9,
    },
    Way {
        what: "it tells its reader to drop other instructions",
        hints: &["ignorier", "vergiss", "vergessen", "missacht", "befolge"],
        pattern: r"\b(?:ignoriere?|ignorieren\s+Sie|vergiss|vergessen\s+Sie|missachte|missachten\s+Sie|befolge\s+nicht)\s+(?:(?:(?:alle|sämtliche|jegliche|die|deine|Ihre|diese|all|jede)\s+){0,3}(?:vorherigen?|bisherigen?|vorigen?|früheren?|obigen?|vorangegangenen?|vorhergehenden?|vorstehenden?|ursprünglichen?|anderen)\s+(?:[0-9A-Za-z_-]+\s+)?(?:Anweisung(?:en)?|Instruktionen|Regeln|Vorgaben|Befehle|Anordnungen|Prompts?|Richtlinien|Systemprompts?)|(?:alle\s+)?deine\s+(?:eigenen\s+)?(?:Anweisung(?:en)?|Instruktionen|Regeln|Vorgaben|Befehle|Anordnungen|Prompts?|Richtlinien|Systemprompts?)|(?:(?:alle|sämtliche)\s+)?(?:die\s+)?(?:Anweisung(?:en)?|Instruktionen|Regeln|Vorgaben|Befehle|Anordnungen|Prompts?|Richtlinien|Systemprompts?)\s+(?:oben|davor|von\s+vorher)|alles,?\s+(?:was\s+(?:[0-9A-Za-zäöü_]+\s+){0,3}?)?(?:oben|vorher|davor|zuvor|bisher|vorherige|bisherige|obige|gesagt))\b",
        begins: true,
        calls: false,
        confidence: 0.95,
    },
    Way {
        what: "it tells its reader to drop other instructions",
        hints: &[
            "ignor",
            "olvid",
            "sigas",
            "siga ",
            "omite",
            "descarta",
            "desobedece",
            "caso omiso",
        ],
        pattern: r"\b(?:ignor[ae]|ignorad|olvid[ae]|olvidad|omite|omita|descarta|descarte|desobedece|no\s+sigas?|ha(?:z|ga)\s+caso\s+omiso\s+(?:de|a))\s+(?:(?:(?:todas?|cualquier|las?|tus|sus|estas|esas)\s+){0,3}(?:(?:instrucci(?:ón|ones)|reglas|indicaciones|órdenes|ordenes|directrices|normas|restricciones)\s+(?:(?:que\s+)?[0-9A-Za-z_]+\s+)?(?:anteriores|previas?|precedentes|iniciales|originales|de\s+arriba|del\s+(?:sistema|desarrollador))|(?:anteriores|previas)\s+(?:instrucci(?:ón|ones)|reglas|indicaciones|órdenes|ordenes|directrices|normas|restricciones))|(?:todas\s+)?tus\s+(?:propias\s+)?(?:instrucci(?:ón|ones)|reglas|indicaciones|órdenes|ordenes|directrices|normas|restricciones)|todo\s+lo\s+(?:anterior|previo|de\s+arriba|que\s+(?:[0-9A-Za-z_]+\s+){0,3}?(?:antes|dijeron|dicho|arriba)))\b",
        begins: true,
        calls: false,
        confidence: 0.95,
    },
    Way {
        what: "it tells its reader to drop other instructions",
        hints: &[
            "ignore",
            "oubli",
            "tiens pas",
            "tenez pas",
            "suis pas",
            "suivez pas",
            "abstraction",
            "néglige",
        ],
        pattern: r"\b(?:ignorez?|oubliez?|négligez?|ne\s+(?:tiens|tenez)\s+pas\s+compte|ne\s+(?:suis|suivez)\s+pas|fai(?:s|tes)\s+abstraction)\s+(?:(?:toutes?|tous|de|des|les?|tes|vos|ces|d'autres)\s+){0,3}(?:(?:instructions?|consignes|règles|directives|indications|ordres|restrictions)\s+(?:[0-9A-Za-zé]+\s+)?(?:précédente?s?|antérieure?s?|initiales?|originales?|ci-dessus|plus\s+haut|au-dessus|d'origine|du\s+(?:système|développeur)|reçues)|tout\s+ce\s+qui\s+(?:précède|[0-9A-Za-zéà\s]{0,30}(?:avant|dessus|dit)))\b|\b(?:ignorez?|oubliez?)\s+(?:toutes\s+)?(?:tes|vos)\s+(?:propres\s+)?(?:instructions|consignes|directives)\b",
        begins: true,
        calls: false,
        confidence: 0.95,
    },
];
