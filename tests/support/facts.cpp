// The facts about each parameter set: see facts.h.
// SPDX-License-Identifier: Apache-2.0
#include "facts.h"

const std::vector<SetFacts> &all_facts()
{
    // clang-format off
    static const std::vector<SetFacts> facts = {
        {"ML-KEM-512", Family::mlkem, 1, 2, true, {800, 1632, 768, 32, 64, 32}, {64}, {32}, "# Kyber512",
         "a30184edee53b3b009356e1e31d7f9e93ce82550e3c622d7192e387b0cc84f2e",
         "b7259049140db8c2c858332c249255ac0f957305a861829d3f11b073761aba9c",
         {
             {100, "449120c6e320ef3e9fbfa2316e5f2d2e1e6dd37d8ff5d086d5d2db7d42aff0a1",
              "86b1b4703b8ffef6f7f3290c6dbce4ad954498a0673ded401a94828e8c519a59"},
             {1000, "9144b1054d29546b0f7fdd2e48dbb6d68c573dd468845c5e97eb2dba77a8f1e9",
              "1f52919e618f26d802b33dacdc8e0a18005e5e40ebbd473e85faf97f599a2b05"},
             {10000, "705dcffc87f4e67e35a09dcaa31772e86f3341bd3ccf1e78a5fef99ae6a35a13",
              "e0112db334d4240ca6feed5b0beab1318925edd4ff7d840c2ebe6d61971fc14c"},
         }},
        {"ML-KEM-768", Family::mlkem, 3, 3, true, {1184, 2400, 1088, 32, 64, 32}, {64}, {32}, "# Kyber768",
         "729367b590637f4a93c68d5e4a4d2e2b4454842a52c9eec503e3a0d24cb66471",
         "213e38eddbfbfb728da1aab4523b089dc6f2a68ff5e5da71a2c4af9cd69e73e1",
         {
             {100, "8d65b902f28edc683cebee2872962fd165a4d197c9e24ec74caa4470270df0b7",
              "1114b1b6699ed191734fa339376afa7e285c9e6acf6ff0177d346696ce564415"},
             {1000, "5706194c22e3e0977b570e636de7364abce0609b341433cc4eb48062080b7c76",
              "78d7c03e462a9b629602564d7a25a61fe1082beaea54b3b6d13d3d7bea50b43d"},
             {10000, "f959d18d3d1180121433bf0e05f11e7908cf9d03edc150b2b07cb90bef5bc1c1",
              "8a518cc63da366322a8e7a818c7a0d63483cb3528d34a4cf42f35d5ad73f22fc"},
         }},
        {"ML-KEM-1024", Family::mlkem, 5, 4, true, {1568, 3168, 1568, 32, 64, 32}, {64}, {32}, "# Kyber1024",
         "3fba7327d0320cb6134badf2a1bcb963a5b3c0026c7dece8f00d6a6155e47b33",
         "0d44ceb59b8ecd47d243f5be4be02a4c1fa28a2cc3959aa045d97e877afb324d",
         {
             {100, "c3ffe9ebecfa479c142656cbfbc6417efa05b77e994fe538eef4daed166363df",
              "800018fec3e2723f73f1d657fe239b4d5d8782efaade297e8cd448e54cc2ac00"},
             {1000, "df23d235ef494a38b2de2deda2704bb1312dd88ef6987ec4fc6f08fe5963ed7f",
              "070478698bfcade6270900c5b7249235ac3873ef2ab94913e059b3913ee809cb"},
             {10000, "e3bf82b013307b2e9d47dde791ff6dfc82e694e6382404abdb948b908b75bad5",
              "f1a3925c9cf8538bb104c56efb2f5ecb74cc3df25087460b73f6c873e96bcb6a"},
         }},
        {"Kyber512", Family::kyber, 1, 2, false, {800, 1632, 768, 32, 64, 32}, {32, 32}, {32}, "# Kyber512",
         "e9c2bd37133fcb40772f81559f14b1f58dccd1c816701be9ba6214d43baf4547",
         "d72e27116af50be4731f47d835f712c265aecdda9ef5d447c88e9e2b0432c55d",
         {
             {100, "f03deb1dafd9ab0ff2688d0abf6ea8d27f0e3ba9b9ee6d726937c22673d8f5a6",
              "62d66bcdd311c034a663f11225832622138c072b05614ce8f226c71f4ae33620"},
             {1000, "1e02de546b71aac0b622ab6ad13c7cf4cf7d7de06a036abe8b23a3f253715952",
              "a950d90dd3c611216fd778424e623e02be4c02bfd59c4438369cf4e839363a58"},
             {10000, "5851be4a33f4dc56930cefc8064e44eace6d6e6dab99e3c61c57c0301cb4db38",
              "03e077a504d171254147745b5a78c86a2d1541081f6ffed01b92475ff1b6d185"},
         }},
        {"Kyber768", Family::kyber, 3, 3, false, {1184, 2400, 1088, 32, 64, 32}, {32, 32}, {32}, "# Kyber768",
         "a1e122cad3c24bc51622e4c242d8b8acbcd3f618fee4220400605ca8f9ea02c2",
         "031f9fa5f3ea2c7cd8f674491134d5808b14106ee675d4266356a571b5545727",
         {
             {100, "6c5c0d89ef49db03943889f56d14e8c559780b1c85cc03ecffabca7f16935204",
              "efa859b9ea47a462113bc19f6be3a1b58e7fffb9ce5596e37de666dc6dfbcf4e"},
             {1000, "2b64256be9ca536dda02b7eb683ec63b9ab436952d849c8ad16b51032819778c",
              "07d11f767a58da7e6833041ed0827f1b13826f7ca5afa35f3c511feedeb32cb1"},
             {10000, "7ca5b1e472583b1b9a0fee43b859cca63347aa27255b092b23de9c8d87f73f7e",
              "c3b1fde3c556e4150fe8d327f41042fad429f9242e714a0e02b926ffceb99007"},
         }},
        {"Kyber1024", Family::kyber, 5, 4, false, {1568, 3168, 1568, 32, 64, 32}, {32, 32}, {32}, "# Kyber1024",
         "89248f2f33f7f4f7051729111f3049c409a933ec904aedadf035f30fa5646cd5",
         "a7aeb8c31b85cddf7ccbb4dcf8311ad25d0b392effaa0df103a7f1c7fa8eec22",
         {
             {100, "a476512ef35390828d9a353dec7c6d5de975e4e81ba6b590e95b76c753b4efad",
              "6d120e23ae49e0042ea5a7e421abb2300391432d06516f87aeb3a0bd146295e3"},
             {1000, "f84b8f7dd8f1d4b4c34b1a8006ea13bd8c201adb794926f442d7446ada14f091",
              "ebbf14b70f351cf4c49b07918dfc95970d4f8d9275958d745dd19dc3dd267ea3"},
             {10000, "566107a716f814a4365c538f5960538411427eafa4714b8dde2855a81e9c8d71",
              "d252a85da7cc81411cc7c52104585d340d83c85303be704f2cad9a0470d2b973"},
         }},
        {"Kyber512-90s", Family::kyber_90s, 1, 2, false, {800, 1632, 768, 32, 64, 32}, {32, 32}, {32}, "# Kyber512-90s",
         "a3d271762446e5d0996aef8e8a76e714dce2ece7e0354c77212a86f398f4cf52",
         "8aca0f0069273b3606782e3a6dfa323dc37a33add160caab20cae77df155f2d9",
         {
             {100, "32e438195b3c0c2d3ff729644b00e457d28797649c9b3a45fba1458562ef5478",
              "2c19765ded09d9271d0d4b89fc838f86cc26b701156d41960213953062decbc1"},
             {1000, "f7c7b11cb05f4b3db94dee0f77207f2570a9dd72a94dab680c1eb5e7b44651f8",
              "a22cc8e9f48c359e45a4a5d3c9c92a763c72b40ed454259349ffab139c923e7b"},
             {10000, "af190a1206e41e444a764f82abff994509a1058c32bcca10350e75cd00a59af7",
              "5d6e501501b55b8ca7773a2e4a5f0242bae717e9a83072b939b20fbc449b84b9"},
         }},
        {"Kyber768-90s", Family::kyber_90s, 3, 3, false, {1184, 2400, 1088, 32, 64, 32}, {32, 32}, {32}, "# Kyber768-90s",
         "890176520882068007cdcc009d7651cd11c4e54b443df131ad12340e61ddd8e6",
         "8e61a14eb87967b198916b661d9f0bc3f9d76395b74e97f5d4d22aae7776b6b1",
         {
             {100, "0715d37a950912bccdf342882c3bef077d45cc5ee1a6525230c44f4fae121107",
              "f7c9fa420329699f8d59b66496e5537c475f37d9b23f9cb4b387e62ba4050832"},
             {1000, "d1bd67362fb13cd678435cfc3d91dbaac3b42e15c8a8aedbec051d11132cd9b1",
              "4c5e83d0670a2a8f2743073588d0c7db78ed45ad19afc6827b187feb6966aa70"},
             {10000, "ee480db846d9bf79ed7260e247fa50583835c61175a41b866c392c79fa18caad",
              "903acfc72e4df1a2a78e15d3044475faa71c35afa8ef1a06f1e1a485a9a490d6"},
         }},
        {"Kyber1024-90s", Family::kyber_90s, 5, 4, false, {1568, 3168, 1568, 32, 64, 32}, {32, 32}, {32}, "# Kyber1024-90s",
         "0aae7ad05d260939e1235906598c04d4120e25c608c2189de90d4d026eb8101b",
         "c5963f17d082815d3fafaca80253a10a8b05644638aff27daecc122130cb8c63",
         {
             {100, "925e2cb5391579ed874f5be5f6a793d63d5a3b98b4e787760b446da7e0c37679",
              "c2ab38bf21d08b9054749420127c8b3b4a01c63ac254cdab053ecbce11361928"},
             {1000, "654fae6ec50402810c7d9a9869343736185ab689ff9a88598609752f86580aef",
              "2276f5dc8b1289e4f04e860f3a9f6a6c30e2fcf161f6b0ff01d6a09ed344fc52"},
             {10000, "96409b9c512f1a23062aea32b3004349a0a205b48c91ccf3f3e5f03f06bb4b99",
              "df06d5ec17561cd2988277265c1d4e1150dc5f02172540dbe1bd45c6148a72fb"},
         }},
        {"LightSaber", Family::saber, 1, 2, false, {672, 1568, 736, 32, 96, 32}, {32, 32, 32}, {32}, "# LightSaber",
         "d15eabf67e7a00aa1429369d2dd3c54a091c3bc33c733a7c50963b4d3b68f347",
         "aedaca6727b8e332d117b56c95d4f07dca21b8e17118109cbefbbd7f0e0afb48",
         {
             {100, "4ad60dd3e5fbcbc02f28bd6d8ae8549445e41ad546de730f0e6c595c68cc0f1a",
              "8ab41829cf9165576174db7d3f17c3a40cff61acc7a5cd947e212afc6dce62ab"},
             {1000, "9a65782cc93bb43afd52828b33deee7b1ea22353c6b88d7f5b3f20a54b0896ea",
              "df6407950b15be3d9eb46bf17f7a0739aa8f112a46412218207c063bef51890e"},
             {10000, "258708aba3b08e0a5ef4b7546378287e6624a2889e482d549c414458f1a75c67",
              "fef01ac3db901474132df04d579821de1ac023ce3cc1cf3a395bb21db8d92737"},
         }},
        {"Saber", Family::saber, 3, 3, false, {992, 2304, 1088, 32, 96, 32}, {32, 32, 32}, {32}, "# Saber",
         "4066d962d8e71dad0b389d321771dd509cd273ec266e032029995516fb351053",
         "8db2e9232ee7dc18b801278af861d1cabefc8f8d7b1547da396b54b4c7dc555d",
         {
             {100, "c592fa2305a3cfd5ffba5929e2224046430a218a75e473afa677e23248dc3ef0",
              "f72810982ae00f1c6696dd2811aeb8ab12e963bd68a0cf398e68410c5a00de5d"},
             {1000, "bf8ea1988f09f3d511589a258a65054b4cc8137265c1209a879c190961aeedd5",
              "ec9d2567f1641e4ee59b30e6ca04bb630942cbeb541541510bb5e2f5e87b768b"},
             {10000, "fabb27ef01c75701b5f3ffdbae35e09fa902609f888965989582a46f3d1b90b0",
              "d0325820fac2eabff6b530669eb587fd0d7fb218a7b658d4fe71e612beec354f"},
         }},
        {"FireSaber", Family::saber, 5, 4, false, {1312, 3040, 1472, 32, 96, 32}, {32, 32, 32}, {32}, "# FireSaber",
         "f1cbf649d410da9fdb32dfeb7963b2b6e91c199c3e7208ed487116aa1462978a",
         "c0d527a1f947478d8e99e61c4149d1d1b661156bbf53985432462b466e17c894",
         {
             {100, "26ec385a62801bc7da03062e54b86863984d6379d9045e9a9eb63a20e3e46785",
              "6a3c8942f8691c2ccbe000489b21bf34f1074a4306b20079ad8431c8931dcd60"},
             {1000, "468279ba1a6fe6e5fa51c46026227213a409ec88821fa27580a702c34d301a38",
              "ca0784a375d7bdb53cf0ed2aadb4f9aa50cf4cac6c7ee507d6f4f52fa0bed301"},
             {10000, "e5f6a9c31c39ef36a211179d7b19da8d0cc470aafa3baeb91f4532cef880da27",
              "cc272f5cb831856156e3d662c2a6a9e92ea870f2d6a10d3e009dac00a8965fed"},
         }},
    };
    // clang-format on
    return facts;
}

const SetFacts *find_facts(const std::string &name)
{
    for (const SetFacts &facts : all_facts())
        if (name == facts.name) return &facts;
    return nullptr;
}
