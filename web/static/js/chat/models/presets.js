/** Where models are, so that an operator need not look it up. Addresses are bases of OpenAI's protocol. */

export const PRESETS = [
  { id: 'ollama', protocol: 'openai', address: 'http://127.0.0.1:11434/v1', model: 'qwen2.5:7b' },
  { id: 'llamacpp', protocol: 'openai', address: 'http://127.0.0.1:8080/v1', model: 'default' },
  { id: 'openai', protocol: 'openai', address: 'https://api.openai.com/v1', model: 'gpt-4o-mini' },
  { id: 'openrouter', protocol: 'openai', address: 'https://openrouter.ai/api/v1', model: 'qwen/qwen-2.5-72b-instruct' },
  { id: 'mistral', protocol: 'openai', address: 'https://api.mistral.ai/v1', model: 'mistral-small-latest' },
  { id: 'anthropic', protocol: 'litellm', model: 'anthropic/claude-3-5-haiku-latest' },
  { id: 'gemini', protocol: 'litellm', model: 'gemini/gemini-2.0-flash' },
  { id: 'server', protocol: 'openai', address: '', model: '' },
  { id: 'provider', protocol: 'litellm', model: '' },
];

/** The preset that a model was made with, as far as its address tells. */
export function presetOf({ protocol, address, served_name: served }) {
  const isOf = (preset) => (protocol === 'litellm'
    ? preset.model && served.startsWith(`${preset.model.split('/')[0]}/`)
    : preset.address && preset.address === address);
  const match = PRESETS.find((preset) => preset.protocol === protocol && isOf(preset));
  return match ?? PRESETS.find(({ id }) => id === (protocol === 'litellm' ? 'provider' : 'server'));
}
