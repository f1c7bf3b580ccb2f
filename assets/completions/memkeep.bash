# Completion of memkeep for bash: `source <(memkeep completions bash)`.
_memkeep() {
    local IFS=$'\n' rest=$COMP_LINE words=() word reply prefix index
    # Bash parts words at `:` and `=` too: whatever no blank precedes belongs to the word before.
    for ((index = 0; index <= COMP_CWORD; index++)); do
        word=${COMP_WORDS[index]}
        if ((index == 0)) || [[ $rest == [[:blank:]]* ]]; then
            words+=("$word")
        else
            words[${#words[@]}-1]+=$word
        fi
        rest=${rest#"${rest%%[![:blank:]]*}"}
        rest=${rest#"$word"}
    done
    word=${words[${#words[@]}-1]}
    prefix=${word%"${word##*[:=]}"}
    words[${#words[@]}-1]=${word//\\/}
    COMPREPLY=()
    while read -r reply; do
        printf -v reply %q "$reply"
        COMPREPLY+=("${reply#"$prefix"}")
    done < <(_MEMKEEP_COMPLETE=bash _CLAP_IFS=$'\n' _CLAP_COMPLETE_INDEX=$((${#words[@]} - 1)) \
        memkeep -- "${words[@]}" 2>/dev/null; echo)
    [[ -z ${COMPREPLY[*]: -1} || ${COMPREPLY[*]: -1} == "''" ]] && unset "COMPREPLY[${#COMPREPLY[@]}-1]"
    # A word that goes on gets no blank behind it.
    [[ ${COMPREPLY[0]-} == *[:=/] ]] && compopt -o nospace 2>/dev/null
}
complete -o bashdefault -o nosort -F _memkeep memkeep 2>/dev/null || complete -o bashdefault -F _memkeep memkeep
